"""Where things of a mechanism are in its arrays, by name."""

from collections.abc import Sequence

import numpy as np

from mb_model.arrays import IntArray
from mb_model.assembly.dimension import require_plane
from mb_model.mechanism_file.description import MechanismError


class Addresses:
    """Questions to a Mechanism, which derives from this, that its description alone answers."""

    def unit(self, coordinate: str) -> str:
        """Return the unit of a coordinate by its name, 'rad' or 'm'."""
        added = self.described.coordinates.get(coordinate)
        if added and added.of:
            return self.unit(added.of)
        return added.unit if added else 'm'

    @property
    def force_states(self) -> tuple[str, ...]:
        """Degrees of freedom whose rates are states of forces, by name: their places say nothing.
        """
        return tuple(name for name, one in self.described.coordinates.items()
                     if one.inertia is not None)

    def places(self, names: Sequence[str]) -> IntArray:
        """Return the places in q of coordinates by name (k); raises MechanismError."""
        for name in names:
            if name not in self.coordinates:
                raise MechanismError(f'{self.name}: {name}: unknown coordinate, expected some of '
                                     f'{", ".join(self.coordinates)}')
        return np.array([self.coordinates.index(name) for name in names], np.int64)

    def body_indices(self, body: str) -> tuple[int, int]:
        """Return where x of a body's first and second point are in arrays over n_total.

        Raises MechanismError in space, as do point_index and angle_index.
        """
        require_plane(self, f'two points of {body}')
        first, second = self.model['body_index'][0, list(self.bodies).index(body)]
        return int(first), int(second)

    def point_index(self, point: str) -> int:
        """Return where x of a point is in arrays over n_total."""
        require_plane(self, f'coordinates of the point {point}')
        if not self.points[point].fixed:
            return self.coordinates.index(f'{point}.x')
        fixed = [name for name, other in self.points.items() if other.fixed]
        return self.n + 2 * fixed.index(point)

    def angle_index(self, body: str) -> int | None:
        """Return the place in q of a body's own absolute angle, None if it has none."""
        require_plane(self, f'the angle of {body}')
        for coordinate in self.described.coordinates.values():
            if coordinate.kind == 'angle' and coordinate.body == body:
                return self.coordinates.index(coordinate.name)
        return None
