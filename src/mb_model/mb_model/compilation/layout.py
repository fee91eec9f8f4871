"""Where the points and coordinates of a mechanism are in its arrays, and how large things are."""

from collections.abc import Iterable, Iterator, Sequence
from math import hypot
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.constraints.relation import Coordinate
from mb_model.forces.entries_behind import EntriesBehind
from mb_model.forces.kinds.load_friction import by_load
from mb_model.mechanism_file.description import Description
from mb_model.mechanism_file.reading import coordinate_names


def layout_of(description: Description) -> Any:
    """Return the Layout of a description, its SpatialLayout if it is in space."""
    if description.dimension == 3:
        # Imported here: planar mechanisms need not wait for it.
        from mb_model.compilation.spatial.layout import SpatialLayout
        return SpatialLayout(description)
    return Layout(description)


class Layout:
    """What equations and elements of forces are made with.

    names: of the coordinates q (n); points: name -> index of its x, moving ones from 0, fixed ones
    from n on; moving: how many coordinates moving points have; bodies: name -> Body;
    size: the length of the longest body [m]; behind: entries behind the coordinates.
    """

    def __init__(self, description: Description) -> None:
        self._description, self.bodies = description, description.bodies
        self.dimension = 2
        self.unit = description.unit
        self.names = coordinate_names(description.points, description.coordinates)
        self._indices = {name: k for k, name in enumerate(self.names)}
        moving = [name for name, point in description.points.items() if not point.fixed]
        fixed = [name for name, point in description.points.items() if point.fixed]
        self.points = ({name: 2 * k for k, name in enumerate(moving)}
                       | {name: len(self.names) + 2 * k for k, name in enumerate(fixed)})
        self.moving = 2 * len(moving)
        self.behind = EntriesBehind(len(self.names) + 2 * len(fixed), by_load(description.forces),
                                    description.prescribed)
        self.size = self.longest(self.bodies)

    @property
    def n_total(self) -> int:
        """How many numbers arrays over coordinates have."""
        return self.behind.end

    def index(self, coordinate: str) -> int:
        """Return the index of a coordinate in q."""
        return self._indices[coordinate]

    def offset(self, force: Any) -> Sequence[float]:
        """Return the offset in its body's frame of what a force acts at (2) [m]."""
        return self.bodies[force.body].points[force.at] if isinstance(force.at, str) else force.at

    def coordinate(self, name: str) -> Coordinate | None:
        """Return what was added to the coordinates of points by a name, None if nothing was."""
        return self._description.coordinates.get(name)

    def axis(self, body: str) -> tuple[int, int]:
        """Return the indices of x of a body's first two points."""
        first, second = list(self.bodies[body].points)[:2]
        return self.points[first], self.points[second]

    def longest(self, bodies: Iterable[str]) -> float:
        """Return the length of the longest of some bodies [m]."""
        return max(self.bodies[body].length for body in bodies)

    def body_of_line(self, first: str, second: str) -> str | None:
        """Return the name of the body that two points belong to, None if there is none."""
        return next((name for name, body in self.bodies.items()
                     if first in body.points and second in body.points), None)

    def line_length(self, first: str, second: str) -> float:
        """Return the distance of two points that are both fixed or both on a body [m]."""
        if all(self._description.points[name].fixed for name in (first, second)):
            return self.start_distance(first, second)
        offsets = self.bodies[self.body_of_line(first, second)].points
        (ax, ay), (bx, by) = offsets[first], offsets[second]
        return hypot(bx - ax, by - ay)

    def start_distance(self, first: str, second: str) -> float:
        """Return the distance of two points at the start of the file [m]."""
        (ax, ay), (bx, by) = (self._description.points[name].position for name in (first, second))
        return hypot(bx - ax, by - ay)

    def vector_sizes(self) -> Iterator[tuple[str, float]]:
        """Yield (name of the point, size) of the vectors of modes: how long they are per metre."""
        for body in self.bodies.values():
            if body.beam is not None:
                yield from zip(body.mode_points, body.beam.sizes, strict=True)

    def start_positions(self) -> FloatArray:
        """Return q (n_total) with the points where the file starts them, else zero."""
        q = np.zeros(self.n_total)
        for name, index in self.points.items():
            q[index:index + 2] = self._description.points[name].position
        return q
