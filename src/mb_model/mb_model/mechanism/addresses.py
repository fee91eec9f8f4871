"""Where things of a mechanism are in its arrays, by name."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray, IntArray
from mb_model.assembly.dimension import require_plane, require_space
from mb_model.forces.kinds.characteristic import Backlash
from mb_model.mechanism_file.description import MechanismError
from mb_model.registry.joints import JOINTS
from mb_model.space.body import GROUND

_BESIDE = 1e-9      # the line of a slender body [m], or in unit vectors
_ZERO = 1e-12       # weights below are rounding
NodeTerms = tuple[tuple[int, float], ...]      # (place of a node's x in arrays, weight) each


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

    @property
    def plays(self) -> tuple[Backlash, ...]:
        """The backlashes."""
        return tuple(force for force in self.described.forces.values()
                     if isinstance(force, Backlash))

    @property
    def rolling(self) -> tuple[str, ...]:
        """Joints on which a body rolls: constraints of velocities that positions do not show."""
        return tuple(name for name, joint in self.joints.items() if JOINTS[joint.kind].rolls)

    def require_holonomic(self, what: str) -> None:
        """Raise MechanismError if a body rolls, for what knows no constraints of velocities."""
        if self.rolling:
            raise MechanismError(f'{self.file}: {what}: not for mechanisms with bodies that roll, '
                                 f'here on joints.{", joints.".join(self.rolling)}; expected '
                                 'constraints of positions alone')

    @property
    def flexible_bodies(self) -> tuple[str, ...]:
        """Names of the bodies that bend."""
        return tuple(name for name, body in self.bodies.items()
                     if body.beam is not None)

    @property
    def modes(self) -> tuple[str, ...]:
        """Names of their modal coordinates, which are degrees of freedom."""
        return tuple(mode for name in self.flexible_bodies for mode in self.bodies[name].modes)

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

    @property
    def turning_joints(self) -> tuple[str, ...]:
        """Names of the joints in space that turn about one axis of both bodies."""
        return tuple(name for name, joint in self.joints.items()
                     if JOINTS[joint.kind].axis == 'common'
                     and 'angle' in JOINTS[joint.kind].coordinates)

    def place_terms(self, body: str, place: ArrayLike) -> NodeTerms:
        """Return the nodes and weights that a place of a body in space (3) [m] is the sum of.

        In arrays over n_total; its velocity is the same sum of qd.  Raises MechanismError for a
        place beside the line of a slender body, and in the plane.
        """
        require_space(self, f'nodes of {body}')
        if self._is_slender(body):
            first = next(iter(self.bodies[body].points.values()))
            self._require_on_line(body, 'place', np.asarray(place) - first)
        return self._terms(body, np.r_[1.0, place])

    def direction_terms(self, body: str, direction: ArrayLike) -> NodeTerms:
        """Return the same of a direction in a body's frame (3)."""
        require_space(self, f'nodes of {body}')
        if self._is_slender(body):
            self._require_on_line(body, 'direction', np.asarray(direction))
        return self._terms(body, np.r_[0.0, direction])

    def _is_slender(self, body: str) -> bool:
        """Return whether a body, or what it is welded to, is slender."""
        k = list(self.bodies).index(body) if body != GROUND else -1
        return k >= 0 and self.model['solid_frame'][0, k, -1] < 0

    def _require_on_line(self, body: str, what: str, along: FloatArray) -> None:
        line = self.bodies[body].line
        if np.abs(along - line * (line @ along)).max() > _BESIDE:
            raise MechanismError(f'{self.name}: {body} is slender: it has no {what} beside its '
                                 'line')

    def _terms(self, body: str, mark: FloatArray) -> NodeTerms:
        """Return the terms of a mark (1 or 0, x, y, z) of a body."""
        if body == GROUND:      # origin and axes are the first fixed nodes
            return tuple((self.n + 3 * k, float(share)) for k, share in enumerate(mark) if share)
        model, k = self.model[0], list(self.bodies).index(body)
        terms = slice(model['solid_terms'][k], model['solid_terms'][k + 1])
        weights = model['solid_weight'][terms] @ mark
        return tuple((int(node), float(weight)) for node, weight in zip(
            model['solid_node'][terms], weights, strict=True) if abs(weight) > _ZERO)
