"""Bodies as solids: bars, discs and plates, in the frames of the bodies; how large all are."""

from dataclasses import dataclass
from itertools import pairwise
from math import atan2, hypot

import numpy as np

from mb_evaluation.scene.space import marked_places
from mb_model import point_places
from mb_model.space_api import body_poses, require_plane

WIDTH = 0.04        # of bars without a shape of their own: of the mechanism's size
SHARE = 0.2         # at most this share of the median body's length
THICKNESS = 0.6     # across the plane, in widths


@dataclass(frozen=True)
class Bar:
    """A box around the line between two places (2) [m]."""

    begin: tuple[float, float]
    end: tuple[float, float]
    width: float                    # [m]

    @property
    def middle(self):
        """Where its middle is (2) [m]."""
        return tuple(0.5 * (a + b) for a, b in zip(self.begin, self.end, strict=True))

    @property
    def length(self):
        """From end to end [m]."""
        return hypot(self.end[0] - self.begin[0], self.end[1] - self.begin[1])

    @property
    def angle(self):
        """Of its length against the x axis [rad]."""
        return atan2(self.end[1] - self.begin[1], self.end[0] - self.begin[0])


@dataclass(frozen=True)
class Disc:
    """A cylinder that stands on the plane."""

    centre: tuple[float, float]     # [m]
    radius: float                   # [m]


@dataclass(frozen=True)
class Plate:
    """A convex polygon."""

    corners: tuple[tuple[float, float], ...]    # [m]


class Solids:
    """The solids of each body, all of one thickness, on levels on which no joined bodies meet.

    bodies: name -> Bars, Discs and Plates in the body's frame; levels: name -> 0, 1, ...
    """

    def __init__(self, mechanism):
        """Give every body of a Mechanism its shape; one without gets bars between its points.

        Raises MechanismError in space.
        """
        require_plane(mechanism, 'solids of one thickness')
        lengths = [body.length for body in mechanism.bodies.values()]
        places = point_places(mechanism, mechanism.q0)[0]
        self.size = float(max(*lengths, *np.ptp(places, axis=0)))                   # [m]
        self.width = min(WIDTH * self.size, SHARE * float(np.median(lengths)))      # [m]
        self.thickness = THICKNESS * self.width                                     # [m]
        self.bodies = {name: tuple(self._shaped(body.shape) if body.shape else
                                   self._outlined(list(body.points.values())))
                       for name, body in mechanism.bodies.items()}
        self.levels = _levels(mechanism.bodies)

    def height(self, body):
        """Return how far the middle of a body is above the plane [m]."""
        return self.thickness * self.levels[body]

    @property
    def top(self):
        """Above all bodies [m]."""
        return self.thickness * (max(self.levels.values()) + 0.5)

    @staticmethod
    def _shaped(shape):
        first, second = shape.ends
        if shape.is_disc:
            return [Disc(first, shape.radius)]
        return [Bar(first, second, 2.0 * shape.radius),
                Disc(first, shape.radius), Disc(second, shape.radius)]

    def _outlined(self, points):
        """Return a bar, or the frame of a plate, with round corners."""
        plate = len(points) > 2
        edges = pairwise([*points, points[0]] if plate else points)
        return [*(Bar(first, second, self.width) for first, second in edges if first != second),
                *(Disc(point, 0.5 * self.width) for point in points),
                *([Plate(tuple(points))] if plate else [])]


def _levels(bodies):
    """Return the lowest level for each body on which no earlier one shares a point with it."""
    levels = {}
    for name, body in bodies.items():
        near = {level for other, level in levels.items()
                if not body.points.keys().isdisjoint(bodies[other].points)}
        levels[name] = next(level for level in range(len(bodies)) if level not in near)
    return levels


def extent(mechanism):
    """Return (size [m], least and greatest places (3) [m]) of a Mechanism at its start."""
    if mechanism.dimension == 3:
        poses = body_poses(mechanism, mechanism.q0)
        places = np.array([poses[body][0][0] + poses[body][1][0] @ place
                           for body, place in marked_places(mechanism)])
        least, greatest = places.min(axis=0), places.max(axis=0)
        return float(np.linalg.norm(greatest - least)) or 1.0, least, greatest
    places = np.column_stack([point_places(mechanism, mechanism.q0)[0],
                              np.zeros(len(mechanism.points))])
    return Solids(mechanism).size, places.min(axis=0), places.max(axis=0)
