"""The barrels of hydraulic cylinders, from the pin that each swings about."""

from math import atan2

import numpy as np
from std_msgs.msg import Header
from visualization_msgs.msg import Marker

from mb_evaluation.nodes.drawn.marker import COLOURS, new_marker, planar_pose
from mb_model import point_places

WIDTH = 1.6                 # of a barrel, in widths of bars


class BarrelMarkers:
    """Markers of the cylinders of a simulation; none of mechanisms without."""

    def __init__(self, mechanism, solids, stream):
        """Make the markers of a Mechanism with its Solids; stream: a key of COLOURS."""
        self._mechanism, self._found = mechanism, []
        hydraulics = mechanism.described.hydraulics
        order = {name: k for k, name in enumerate(mechanism.points)}
        for k, cylinder in enumerate(hydraulics.cylinders.values() if hydraulics else ()):
            ends = mechanism.described.coordinates[cylinder.coordinate].points[:2]
            marker = new_marker(Header(), f'{stream}: cylinders', k, Marker.CUBE, COLOURS[stream],
                                0.4, (cylinder.retracted, WIDTH * solids.width, solids.thickness))
            self._found.append(([order[name] for name in ends], marker))

    def markers(self, header, q):
        """Return the Markers at q (n)."""
        places = point_places(self._mechanism, q)[0]
        for ends, marker in self._found:
            first, second = places[ends]
            along = second - first
            middle = first + 0.5 * marker.scale.x * along / np.linalg.norm(along)
            marker.header = header
            marker.pose = planar_pose(*middle.tolist(), angle=atan2(along[1], along[0]))
        return [marker for _, marker in self._found]
