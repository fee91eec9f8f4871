"""Arrows of forces on the coordinates of a mechanism, with their values."""

from geometry_msgs.msg import Point
from visualization_msgs.msg import Marker

from mb_evaluation.nodes.drawn.marker import COLOURS, new_marker, points
from mb_evaluation.scene import sweeps

REACH = 0.2                 # of the mechanism's size: length of the arrow of the greatest force


class ForceMarkers:
    """Markers of forces, of a length in proportion to the greatest force so far."""

    def __init__(self, mechanism, solids):
        """Set up for a Mechanism with its Solids."""
        self._mechanism, self._solids = mechanism, solids
        self._greatest = {'N': 0.0, 'N m': 0.0}

    def markers(self, header, stream, q, forces):
        """Return the Markers of forces on coordinates, by name, at q (n)."""
        for name, force in forces.items():
            unit = 'N m' if self._mechanism.unit(name) == 'rad' else 'N'
            self._greatest[unit] = max(self._greatest[unit], abs(force))
        found = sweeps(self._mechanism, q, forces, self._greatest, REACH * self._solids.size)
        return [marker for k, sweep in enumerate(found)
                for marker in self._arrow(header, stream, k, sweep)]

    def _arrow(self, header, stream, number, sweep):
        """Return the shaft of an arrow, its head, and its force in words."""
        size, colour = self._solids.size, COLOURS[stream]
        height = self._solids.top + self._solids.thickness
        line = points(sweep.line, height)
        shaft = new_marker(header, f'{stream}: forces', 2 * number, Marker.LINE_STRIP, colour,
                           scale=(0.008 * size, 0.0, 0.0))
        shaft.points = line
        head = new_marker(header, f'{stream}: forces', 2 * number + 1, Marker.ARROW, colour,
                          scale=(0.008 * size, 0.025 * size, 0.02 * size))
        head.points = [line[-2], line[-1]]
        words = new_marker(header, f'{stream}: amounts', number, Marker.TEXT_VIEW_FACING, colour,
                           scale=(0.0, 0.0, 0.03 * size))
        heights = sweep.line[:, 1]      # the truth is written above an arrow, the rest below
        y = heights.max() + 0.03 * size if stream == 'prototype' else heights.min() - 0.03 * size
        words.pose.position = Point(x=float(sweep.line[:, 0].mean()), y=float(y), z=height)
        words.text = f'{sweep.force:.4g} {sweep.unit}'
        return [shaft, head, words]
