"""A mechanism in the plane as markers."""

from dataclasses import replace

import numpy as np
from std_msgs.msg import Header
from visualization_msgs.msg import Marker

from mb_evaluation.nodes.drawn.forces import ForceMarkers, contact_markers
from mb_evaluation.nodes.drawn.links import BarrelMarkers, LinkMarkers
from mb_evaluation.nodes.drawn.marker import COLOURS, new_marker, planar_pose
from mb_evaluation.scene import Solids, ellipses, point_covariances, sweeps
from mb_model import Mechanism, MechanismError, point_places

THINNEST = 0.004            # of the mechanism's size, so that lines are seen
_COLOUR = (0.95, 0.75, 0.10)


class EllipseMarkers:
    """Markers of the moving points of an estimated state."""

    def __init__(self, mechanism: Mechanism, solids: Solids, scale: float):
        """Set up for a Mechanism with its Solids; scale: how much larger ellipses are drawn."""
        self._mechanism, self._solids, self._scale = mechanism, solids, scale
        self._moving = [not point.fixed for point in mechanism.points.values()]

    def markers(self, header: Header, q: np.ndarray, covariance: np.ndarray) -> list[Marker]:
        """Return the Markers at q (n); none if the covariance is unknown."""
        if len(covariance) < self._mechanism.g or not np.isfinite(covariance).all():
            return []
        try:
            found = point_covariances(self._mechanism, q, covariance)
        except MechanismError:
            return []
        axes, angles = ellipses(found)
        places = point_places(self._mechanism, q)[0][self._moving]
        widths = np.maximum(2.0 * self._scale * axes, THINNEST * self._solids.size)
        height = self._solids.top + 0.3 * self._solids.thickness
        made = []
        for k, ((x, y), (long, short), angle) in enumerate(zip(
                places.tolist(), widths.tolist(), angles.tolist(), strict=True)):
            marker = new_marker(header, 'observer: uncertainty', k, Marker.CYLINDER,
                                _COLOUR, 0.8, (long, short, 0.05 * self._solids.thickness))
            marker.pose = planar_pose(x, y, height, angle)
            made.append(marker)
        return made


class PlanarPicture:
    """Markers of a mechanism in the plane, above it where they must not be hidden."""

    def __init__(self, mechanism: Mechanism, uncertainty_scale: float):
        """Set up; uncertainty_scale: how many times larger ellipses are drawn."""
        self._solids = Solids(mechanism)
        self.size = self._solids.size                               # [m]
        self._height = self._solids.top + self._solids.thickness    # of forces [m]
        self._links = {stream: LinkMarkers(mechanism, self._solids, stream)
                       for stream in COLOURS}
        self._barrels = BarrelMarkers(mechanism, self._solids, 'observer')
        self._ellipses = EllipseMarkers(mechanism, self._solids, uncertainty_scale)
        self.forces = ForceMarkers(mechanism, self.size, self._sweeps, up=1)
        places = point_places(mechanism, mechanism.q0)[0]
        self._above = float(places[:, 0].mean()), float(places[:, 1].max() + 0.3 * self.size)

    def words_at(self, line: int):
        """Return where words of a number are, above the mechanism at its start [m]."""
        x, y = self._above
        return x, y - 0.1 * line * self.size

    def bodies(self, header: Header, stream: str, q: np.ndarray,
               covariance: np.ndarray) -> list[Marker]:
        """Return the Markers of a simulation at q (n); covariance: of z, of the observer alone."""
        found = self._links[stream].markers(header, q)
        if stream == 'observer':
            found += self._barrels.markers(header, q)
            found += self._ellipses.markers(header, q, covariance)
        return found

    def contacts(self, header: Header, stream: str, contacts, alpha):
        """Return the Markers of BodyContacts."""
        return contact_markers(header, stream, contacts, self.size, self._height, COLOURS[stream],
                               alpha)

    def _sweeps(self, *arguments):
        return [replace(sweep, line=np.column_stack([
            sweep.line, np.full(len(sweep.line), self._height)])) for sweep in sweeps(*arguments)]
