"""The skeleton of a mechanism: its links and joints as lines and points, for viewers."""

from itertools import pairwise

import numpy as np


class Skeleton:
    """Maps coordinates to the places of a mechanism's joints and the ends of its links."""

    def __init__(self, mechanism):
        """Note where each point of a Mechanism is found."""
        self.n = mechanism.n
        self._points = mechanism.points
        self._places = [None if point.fixed else mechanism.coordinates.index(f'{name}.x')
                        for name, point in self._points.items()]
        order = {name: k for k, name in enumerate(self._points)}
        self._lines = np.array([
            (order[first], order[second])
            for body in mechanism.bodies.values() for first, second in _edges(list(body.points))])
        self.size = float(np.ptp(self.joints(mechanism.q0), axis=0).max())      # [m]

    def joints(self, q):
        """Return the places of all points (p, 2) [m] for coordinates q (n)."""
        return np.array([point.position if place is None else q[place:place + 2]
                         for point, place in zip(self._points.values(), self._places, strict=True)])

    def segments(self, q):
        """Return the ends of all links (s, 2, 2) [m] for coordinates q (n)."""
        return self.joints(q)[self._lines]


def _edges(points):
    """Return the pairs of points to draw a body by: a bar, or the outline of a plate."""
    return [(points[0], points[1])] if len(points) == 2 else pairwise([*points, points[0]])
