"""A mechanism in the plane as markers."""

from dataclasses import replace

import numpy as np

from mb_evaluation.nodes.drawn.barrels import BarrelMarkers
from mb_evaluation.nodes.drawn.contacts import contact_markers
from mb_evaluation.nodes.drawn.forces import ForceMarkers
from mb_evaluation.nodes.drawn.links import LinkMarkers
from mb_evaluation.nodes.drawn.marker import COLOURS
from mb_evaluation.nodes.drawn.uncertainty import EllipseMarkers
from mb_evaluation.scene import Solids, sweeps
from mb_model import point_places


class PlanarPicture:
    """Markers of a mechanism in the plane, above it where they must not be hidden."""

    def __init__(self, mechanism, uncertainty_scale):
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

    def words_at(self, line):
        """Return where words of a number are, above the mechanism at its start [m]."""
        x, y = self._above
        return x, y - 0.1 * line * self.size

    def bodies(self, header, stream, q, covariance):
        """Return the Markers of a simulation at q (n); covariance: of z, of the observer alone."""
        found = self._links[stream].markers(header, q)
        if stream == 'observer':
            found += self._barrels.markers(header, q)
            found += self._ellipses.markers(header, q, covariance)
        return found

    def contacts(self, header, stream, contacts, alpha):
        """Return the Markers of BodyContacts."""
        return contact_markers(header, stream, contacts, self.size, self._height, COLOURS[stream],
                               alpha)

    def _sweeps(self, *arguments):
        return [replace(sweep, line=np.column_stack([
            sweep.line, np.full(len(sweep.line), self._height)])) for sweep in sweeps(*arguments)]
