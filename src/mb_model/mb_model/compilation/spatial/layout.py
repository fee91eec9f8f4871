"""Where nodes, vectors and coordinates of a mechanism in space are in its arrays."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.compilation.spatial.beams import Solid, beam_solids, rigid_part
from mb_model.compilation.spatial.groups import rigid_groups, start_poses
from mb_model.compilation.spatial.node import VECTOR, Terms, combined
from mb_model.compilation.spatial.nodes import Nodes
from mb_model.compilation.spatial.tree import SpatialTree, group_tree
from mb_model.forces.entries_behind import EntriesBehind
from mb_model.forces.kinds.load_friction import by_load
from mb_model.mechanism_file.description import Description


class SpatialLayout:
    """What equations and elements of forces are made with, as is a Layout in the plane.

    names: of the coordinates q (n); joints, bodies: by name; size: of the mechanism [m];
    vectors: the terms of each vector, by number, as ((index in arrays, weight), ...); behind:
    entries behind the coordinates.
    """

    def __init__(self, description: Description) -> None:
        self._description = description
        self.dimension = 3
        self.joints, self.bodies = description.joints, description.bodies
        self.size = size_of(description)
        self._groups = rigid_groups(description)
        self._poses = start_poses(description)
        self._nodes = Nodes(description, self._groups, self._poses, self.size)
        self._references = {body: [
            self._nodes.add_fixed(f'{body}.reference.{axis}', column)
            for axis, column in zip('xyz', self._poses[body].turn.T, strict=True)]
            for body in dict.fromkeys(
                one.bodies[0] for one in description.coordinates.values()
                if one.kind == 'orientation')}
        base = self._nodes.base
        # Bodies with many joints come first in base and last in q: rows of tangents are short.
        moving = [k for k, one in reversed(list(enumerate(base))) if not one.fixed]
        self.moving = 3 * len(moving)
        self.unit = description.unit
        self.names = [f'{base[k].label}.{axis}' for k in moving for axis in 'xyz'] + list(
            description.coordinates)
        self._indices = {name: k for k, name in enumerate(self.names)}
        fixed = [k for k, one in enumerate(base) if one.fixed]
        self._node_indices = ({k: 3 * number for number, k in enumerate(moving)}
                             | {k: len(self.names) + 3 * number for number, k in enumerate(fixed)})
        self.behind = EntriesBehind(len(self.names) + 3 * len(fixed), by_load(description.forces),
                                    description.prescribed)
        self.vectors, self._vector_numbers = [], {}

    @property
    def n_total(self) -> int:
        """How many numbers arrays over coordinates have."""
        return self.behind.end

    @property
    def products(self) -> list[tuple[Terms, Terms, float, str]]:
        """What holds bodies together: (terms, terms, their product, body)."""
        return self._nodes.products

    def index(self, coordinate: str) -> int:
        """Return the index of a coordinate in q."""
        return self._indices[coordinate]

    def coordinate_of(self, joint: str, kind: str) -> str:
        """Return the name of the coordinate of a kind that a joint has."""
        return next(name for name, one in self._description.coordinates.items()
                    if (one.joint, one.kind) == (joint, kind))

    def is_slender(self, body: str) -> bool:
        """Return whether a body, or what it is welded to, is slender."""
        return self._groups[body].slender

    def point(self, body: str, offset: FloatArray | tuple[float, ...]) -> Terms:
        """Return the terms of a point of a body's frame (3) [m]."""
        return self._nodes.point(body, offset)

    def direction(self, body: str, direction: FloatArray | tuple[float, ...]) -> Terms:
        """Return the terms of a direction in a body's frame (3)."""
        return self._nodes.direction(body, direction)

    def difference(self, first: Terms, second: Terms) -> Terms:
        """Return the terms of first - second; empty if they are the same."""
        terms = combined(((1.0, first), (-1.0, second)), self._nodes.kept)
        return terms if any(terms.values()) else {}

    def total(self, parts: Iterable[tuple[float, Terms]]) -> Terms:
        """Return the terms of a sum of (factor, terms)."""
        return combined(parts, self._nodes.kept)

    def mode_vectors(self, body: str) -> list[Terms]:
        """Return the terms of the vector of each shape of a flexible body."""
        return [{base: 1.0} for base in self._nodes.modes[body][0]]

    def twist_vectors(self, body: str) -> list[tuple[Terms, Terms]]:
        """Return the terms of both vectors of each twist of a flexible body, of y and of z."""
        return [({first: 1.0}, {second: 1.0}) for first, second in self._nodes.modes[body][1]]

    def vector(self, terms: Terms) -> int:
        """Return the number of the vector with these terms."""
        key = tuple(sorted((self._node_indices[base], weight) for base, weight in terms.items()))
        if key not in self._vector_numbers:
            self._vector_numbers[key] = len(self.vectors)
            self.vectors.append(key)
        return self._vector_numbers[key]

    def frame(self, body: str) -> tuple[int, ...]:
        """Return the vectors of a body's frame: origin and unit vectors, or origin and line."""
        if self.is_slender(body):
            origin = self.vector(self.point(body, np.zeros(3)))
            return origin, self.vector(self.direction(body, self.bodies[body].line))
        return tuple(self.vector(terms) for terms in (
            self.point(body, np.zeros(3)), *(self.direction(body, axis) for axis in np.eye(3))))

    def reference(self, body: str) -> tuple[int, ...]:
        """Return the vectors of a body's reference orientation, see coordinates.orientation."""
        return tuple(self.vector({base: 1.0}) for base in self._references[body])

    @cached_property
    def solids(self) -> list[Solid]:
        """The Solids of the bodies, one for each in their order, then what flexible ones have more.

        A point (x, y, z) of a body's frame has the weights of its Solid times (1, x, y, z).
        """
        frames = [Solid(*rigid_part(body), self._nodes.weights(name))
                  for name, body in self.bodies.items()]
        others = [solid for body in self.bodies.values() if body.beam is not None
                  for solid in beam_solids(self, body)]
        return [replace(solid, weights={
            self._node_indices[base]: weight for base, weight in solid.weights.items()})
            for solid in (*frames, *others)]

    @cached_property
    def tree(self) -> SpatialTree:
        """The SpatialTree of the mechanism."""
        return group_tree(self._description, self._groups)

    def frame_in_group(self, body: str) -> tuple[str, FloatArray, FloatArray]:
        """Return (name of its group, origin (3) and axes (3, 3) of a body's frame there)."""
        return self._groups[body].name, *self._groups[body].members[body]

    @property
    def holders(self) -> dict[int, dict[str, FloatArray]]:
        """Index of a moving node in arrays -> {group: its offset (1, ...), direction (0, ...)}."""
        return {self._node_indices[base]: marks for base, marks in self._nodes.holders.items()
                if self._node_indices[base] < self.moving}

    @property
    def sums(self) -> list[tuple[Terms, dict[str, FloatArray]]]:
        """({index of a node: weight}, {group: mark of the sum}) of what else bodies share."""
        return [({self._node_indices[base]: weight for base, weight in terms.items()}, marks)
                for terms, marks in self._nodes.sums]

    @property
    def charts(self) -> dict[str, tuple[list[int], list[int]]]:
        """Body -> (indices of its reference's nodes (3), of its coordinates in q (3))."""
        return {body: ([self._node_indices[base] for base in nodes],
                       [self.index(name) for name, one in self._description.coordinates.items()
                        if one.kind == 'orientation' and one.bodies[0] == body])
                for body, nodes in self._references.items()}

    def start_positions(self) -> FloatArray:
        """Return q (n_total) with the nodes near their start, else zero."""
        q = np.zeros(self.n_total)
        for k, index in self._node_indices.items():
            q[index:index + 3] = self._nodes.base[k].start
        return q

    def scales(self) -> FloatArray:
        """Return the size of each coordinate q (n) [m or rad]: 1 of unit vectors and angles."""
        directions = {base for basis in self._nodes.bases.values() for node in basis.nodes
                      if node.kind == VECTOR and len(node.terms) == 1 for base in node.terms}
        directions |= {base for _, twists in self._nodes.modes.values() for pair in twists
                       for base in pair}
        sizes = [1.0 if k in directions else self.size
                 for k, one in reversed(list(enumerate(self._nodes.base)))
                 if not one.fixed for _ in range(3)]
        return np.array(sizes + [1.0 if one.unit == 'rad' else self.size
                                 for one in self._description.coordinates.values()])


def size_of(description: Description) -> float:
    """Return the largest distance of points of a body, and of its joints [m]."""
    largest = 0.0
    of_joints = {}
    for joint in description.joints.values():
        for name, offset in zip(joint.bodies, joint.offsets, strict=True):
            of_joints.setdefault(name, []).append(offset)
    for name, body in description.bodies.items():
        offsets = np.array([*body.points.values(), body.centre_of_gravity,
                           *of_joints.get(name, ())])
        largest = max(largest, float(np.linalg.norm(offsets[:, None] - offsets, axis=-1).max()))
    return largest or 1.0
