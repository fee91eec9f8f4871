"""Arrows of forces on coordinates, with their values, and of contacts: true, or the likeliest."""

from collections.abc import Iterable, Mapping

from geometry_msgs.msg import Point
import numpy as np
from std_msgs.msg import Header
from visualization_msgs.msg import Marker

from mb_evaluation.nodes.drawn.marker import COLOURS, new_marker, points
from mb_evaluation.scene import Sweep, sweeps
from mb_interfaces.msg import BodyContact
from mb_model import Mechanism
from mb_ros.states import xyz

REACH = 0.2                 # of the mechanism's size: length of the arrow of the greatest force


class ForceMarkers:
    """Markers of forces, of a length in proportion to the greatest force so far."""

    def __init__(self, mechanism: Mechanism, size: float, up: int, front: np.ndarray):
        """Set up for a Mechanism of a size [m].

        up: axis along which words are beside arrows; front (3) [m]: from the mechanism to where
        nothing hides arrows.
        """
        self._mechanism, self._size, self._up, self._front = mechanism, size, up, front
        self._greatest = {'N': 0.0, 'N m': 0.0}

    def markers(self, header: Header, stream: str, q: np.ndarray,
                forces: Mapping[str, float]) -> list[Marker]:
        """Return the Markers of forces on coordinates, by name, at q (n)."""
        for name, force in forces.items():
            unit = 'N m' if self._mechanism.unit(name) == 'rad' else 'N'
            self._greatest[unit] = max(self._greatest[unit], abs(force))
        return [marker for k, sweep in enumerate(
            sweeps(self._mechanism, q, forces, self._greatest, REACH * self._size))
            for marker in self._arrow(header, stream, k, sweep)]

    def _arrow(self, header: Header, stream: str, number: int, sweep: Sweep):
        """Return the shaft of an arrow, its head, and its force in words."""
        size, colour = self._size, COLOURS[stream]
        positions = sweep.line + self._front
        line = points(positions)
        shaft = new_marker(header, f'{stream}: forces', 2 * number, Marker.LINE_STRIP, colour,
                           scale=(0.008 * size, 0.0, 0.0))
        shaft.points = line
        head = new_marker(header, f'{stream}: forces', 2 * number + 1, Marker.ARROW, colour,
                          scale=(0.008 * size, 0.025 * size, 0.02 * size))
        head.points = [line[-2], line[-1]]
        words = new_marker(header, f'{stream}: amounts', number, Marker.TEXT_VIEW_FACING, colour,
                           scale=(0.0, 0.0, 0.03 * size))
        middle = positions.mean(axis=0)
        heights = positions[:, self._up]    # the truth is written above an arrow, the rest below
        middle[self._up] = (heights.max() + 0.03 * size if stream == 'prototype'
                            else heights.min() - 0.03 * size)
        words.pose.position = Point(**xyz(middle))
        words.text = f'{sweep.force:.4g} {sweep.unit}'
        return [shaft, head, words]


CONTACT_REACH = 0.4                 # of the mechanism's size: length of an arrow of FULL_FORCE
FULL_FORCE = 200.0          # [N]; greater forces have arrows as long


def contact_markers(header: Header, namespace: str, contacts: Iterable[BodyContact], size: float,
                    front: np.ndarray, colour: tuple[float, float, float],
                    alpha: float = 1.0) -> list[Marker]:
    """Return the Markers of BodyContacts: an arrow that ends at each point, and a ball there.

    size: of the mechanism [m]; front (3) [m]: see ForceMarkers; colour: red, green, blue; alpha:
    such as a probability.
    """
    markers = []
    for k, contact in enumerate(contacts):
        point, force = (np.array([one.x, one.y, one.z]) for one in (contact.point, contact.force))
        pushed = float(np.linalg.norm(force))
        if pushed == 0.0:
            continue
        length = CONTACT_REACH * size * min(1.0, pushed / FULL_FORCE) / pushed
        arrow = new_marker(header, f'{namespace}: contact force', k, Marker.ARROW, colour, alpha,
                           (0.012 * size, 0.03 * size, 0.04 * size))
        arrow.points = points(point + front - np.outer([length, 0.0], force))
        ball = new_marker(header, f'{namespace}: contact point', k, Marker.SPHERE, colour, alpha,
                          (0.03 * size,) * 3)
        ball.pose.position = arrow.points[1]
        markers += [arrow, ball]
    return markers
