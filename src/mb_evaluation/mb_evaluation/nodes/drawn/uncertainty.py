"""Ellipses that hold the points of a mechanism with a probability of 95 %."""

import numpy as np
from visualization_msgs.msg import Marker

from mb_evaluation.nodes.drawn.marker import new_marker, planar_pose
from mb_evaluation.scene import ellipses, point_covariances
from mb_model import MechanismError, point_places

THINNEST = 0.004            # of the mechanism's size, so that lines are seen
_COLOUR = (0.95, 0.75, 0.10)


class EllipseMarkers:
    """Markers of the moving points of an estimated state."""

    def __init__(self, mechanism, solids, scale):
        """Set up for a Mechanism with its Solids; scale: how much larger ellipses are drawn."""
        self._mechanism, self._solids, self._scale = mechanism, solids, scale
        self._moving = [not point.fixed for point in mechanism.points.values()]

    def markers(self, header, q, covariance):
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
