"""Nodes: the points and unit vectors that bodies share, and which of them are coordinates.

A body's points and directions are sums of four nodes that are independent, its basis, or of two if
it is slender.  Joints make bodies share nodes.  Bodies are looked at one after the other, those
with most nodes first: a basis takes nodes that are fixed or known from earlier bodies, then shared
ones, then own ones; shared nodes beside the basis are sums of it: they need no coordinates.  A body
whose points may change shares none: its basis is its frame, so weights are linear in offsets.
Source: Garcia de Jalon and Bayo 1994, chapter 4.
"""

from itertools import combinations_with_replacement

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.compilation.spatial.node import POINT, VECTOR, Base, Basis, Node, Terms, combined
from mb_model.mechanism_file.description import Description, MechanismError
from mb_model.registry.joints import JOINTS
from mb_model.space.body import GROUND, Pose, SpatialBody

_ALIKE = 9              # decimals of an offset, in sizes, by which two marks are the same
_INDEPENDENT = 0.3      # share of a node its basis leaves, at least; errors grow by the inverse


class Nodes:
    """All nodes of a mechanism, its base nodes and the bases of its groups.

    products: pairs of terms whose product holds a body together, with the number it has, and the
    group's name; kept: base nodes that weights of 0 are kept of, since points may change.
    modes: flexible body -> base nodes of its mode vectors, and pairs of them for its twists.
    """

    def __init__(self, description: Description, groups, poses: dict[str, Pose], size: float):
        self._file, self._groups, self._poses, self._size = (
            description.file, groups, poses, size)
        self._by_mark, self._by_group, self._count = {}, {}, 0
        self.base, self.bases, self.products, self.kept = [], {}, [], set()
        self._done = set()
        ground = groups[GROUND]
        self._alone = {group.name for group in groups.values() if group.alone}
        self._share(description)
        self._basis_of_ground(ground)
        names = dict.fromkeys(group.name for group in groups.values() if group is not ground)
        order = sorted(names, key=lambda name: -len(self._of_group(name)))
        for name in order:
            self._make_basis(name, description)
        self.modes = {name: self._vectors_of_modes(body)
                      for name, body in description.bodies.items() if body.beam is not None}

    def point(self, body: str, offset: FloatArray | tuple[float, ...]) -> Terms:
        """Return the terms of a point of a body's frame."""
        return self._terms(body, POINT, offset)

    def direction(self, body: str, direction: FloatArray | tuple[float, ...]) -> Terms:
        """Return the terms of a direction in a body's frame."""
        return self._terms(body, VECTOR, direction)

    def weights(self, body: str) -> dict[int, FloatArray]:
        """Return {base node: weights (4)} of a body's points, times (1, x, y, z) in its frame."""
        basis = self.bases[self._groups[body].name]
        origin, axes = self._groups[body].members[body]
        to_group = np.block([[np.ones((1, 1)), np.zeros((1, 3))], [origin[:, None], axes]])
        weights = {}
        for node, row in zip(basis.nodes, basis.inverse @ to_group, strict=True):
            for base, factor in node.terms.items():
                weights[base] = weights.get(base, np.zeros(4)) + factor * row
        return weights

    def _vectors_of_modes(self, body: SpatialBody) -> tuple[list[int], list[tuple[int, int]]]:
        """Add the base nodes of the vectors of modes; see beams.spatial_beam."""
        def added(label: str) -> int:
            self.base.append(Base(f'{body.name}.{label}', False, np.zeros(3)))
            return len(self.base) - 1

        twists = body.beam.torsion.modes if body.beam.torsion else 0
        return ([added(f'shape{k + 1}') for k in range(body.beam.shape.modes)],
                [(added(f'turn{k + 1}.y'), added(f'turn{k + 1}.z')) for k in range(twists)])

    @property
    def holders(self) -> dict[int, dict[str, FloatArray]]:
        """Base node -> {group: its mark} of the groups that have it."""
        return {base: node.marks for basis in self.bases.values() for node in basis.nodes
                for base in node.terms if node.terms == {base: 1.0}}

    @property
    def sums(self) -> list[tuple[Terms, dict[str, FloatArray]]]:
        """(terms, {group: its mark}) of the nodes of bases that are sums of several base nodes."""
        sums = dict.fromkeys(node for basis in self.bases.values() for node in basis.nodes
                              if len(node.terms) > 1)
        return [(node.terms, node.marks) for node in sums]

    def mark(self, body: str, kind: float, coordinates: FloatArray | tuple[float, ...]):
        """Return (1 or 0, x, y, z) of a point or direction of a body, in the frame of its group."""
        origin, axes = self._groups[body].members[body]
        return np.r_[kind, kind * origin + axes @ np.asarray(coordinates, float)]

    def add_fixed(self, label: str, start: FloatArray) -> int:
        """Return the number of another fixed base node."""
        self.base.append(Base(label, True, np.asarray(start, float)))
        return len(self.base) - 1

    def _terms(self, body: str, kind: float, coordinates: FloatArray | tuple[float, ...]) -> Terms:
        group, mark = self._groups[body].name, self.mark(body, kind, coordinates)
        basis = self.bases[group]
        weights = basis.inverse @ mark
        if np.abs(basis.matrix @ weights - mark).max() > 1e-9 * max(self._size, 1.0):
            raise MechanismError(
                f'{self._file}: bodies.{body}: is slender, a point or direction beside its line '
                'cannot be named')
        kept = self.kept if kind == POINT and group in (GROUND, *self._alone) else ()
        return combined(zip(weights, (node.terms for node in basis.nodes), strict=True), kept)

    def _share(self, description: Description) -> None:
        """Make the nodes of joints, common ones where bodies share them."""
        for joint in description.joints.values():
            shared = JOINTS[joint.kind].shared
            axes = {'axis': 2, 'frame': 0}
            for what in shared:
                marks = [self._node(body, *(
                    (POINT, offset) if what == 'point' else (VECTOR, frame[:, axes[what]])),
                    f'{joint.name}.{what}')
                    for body, offset, frame in zip(joint.bodies, joint.offsets, joint.frames,
                                                  strict=True)]
                self._unify(*marks)

    def _node(self, body: str, kind: float, coordinates, label: str) -> Node:
        """Return the node of a point or direction of a body, a new one if there is none."""
        group, mark = self._groups[body].name, self.mark(body, kind, coordinates)
        rounded = np.round(self._scaled(mark), _ALIKE)
        key = group, *(rounded + 0.0).tolist()
        if key not in self._by_mark:
            node = Node(kind, label, {group: mark}, number=self._count, keys=[key])
            self._by_mark[key] = node
            self._by_group.setdefault(group, []).append(node)
            self._count += 1
        return self._by_mark[key]

    def _unify(self, first: Node, second: Node) -> None:
        """Let two nodes be one."""
        if first is second or self._apart(first.marks.keys() | second.marks.keys(), first.kind):
            return
        if any(np.abs(first.marks[group] - second.marks[group]).max() > 1e-9 * self._size
               for group in first.marks.keys() & second.marks.keys()):
            return      # through a loop of joints: equations of this one say the rest
        for group in second.marks:
            nodes = [node for node in self._by_group[group] if node not in (first, second)]
            self._by_group[group] = sorted((*nodes, first), key=lambda node: node.number)
        first.marks |= second.marks
        first.keys += second.keys
        self._by_mark |= dict.fromkeys(second.keys, first)

    def _apart(self, names: set[str], kind: float) -> bool:
        """Return whether one of some groups shares no node of a kind; lines may share directions.
        """
        return any(kind == POINT or not self._groups[name].slender for name in self._alone & names)

    def _of_group(self, name: str) -> list[Node]:
        return self._by_group.get(name, [])

    def _basis_of_ground(self, ground):
        """The ground: its origin and the global axes are fixed base nodes."""
        nodes = []
        for kind, label, start in ((POINT, 'ground', np.zeros(3)), *(
                (VECTOR, f'ground.{axis}', unit)
                for axis, unit in zip('xyz', np.eye(3), strict=True))):
            nodes.append(Node(kind, label, {ground.name: np.r_[kind, start]},
                              {self.add_fixed(label, start): 1.0}))
        if self._alone:
            self.kept |= set(range(len(self.base)))
        self._keep_basis(ground.name, nodes)

    def _make_basis(self, name: str, description: Description) -> None:
        """Choose the basis of a group, give new nodes coordinates, express the others by it."""
        body, slender = description.bodies[name], self._groups[name].slender
        wanted = 2 if slender else 4
        if name in self._alone:
            first = len(self.base)
            self._take_basis(name, self._frame_of(name, body))
            self.kept |= set(range(first, len(self.base)))
            return
        own = self._of_group(name)
        known = [node for node in own if node.terms is not None]
        shared = [node for node in own if node.terms is None and len(node.marks) > 1]
        rest = [node for node in own if node.terms is None and len(node.marks) == 1]
        chosen = []
        for node in (*sorted(known, key=self._mobility), *shared, *rest):
            if len(chosen) < wanted and self._left(name, chosen, node.marks[name]) > _INDEPENDENT:
                chosen.append(node)
        if len(chosen) < wanted:
            chosen += self._completed(name, body, chosen, wanted)
        self._take_basis(name, chosen)

    def _frame_of(self, name: str, body: SpatialBody) -> list[Node]:
        """Return the nodes of a body's frame: origin and axes, or origin and line."""
        origin = self._node(name, POINT, np.zeros(3), f'{name}.origin')
        if self._groups[name].slender:
            lines = [node for node in self._of_group(name) if node.kind == VECTOR]
            return [origin, *(lines[:1] or [self._node(name, VECTOR, body.line, f'{name}.line')])]
        return [origin, *(self._node(name, VECTOR, axis, f'{name}.v{k}')
                          for k, axis in enumerate(np.eye(3), 1))]

    def _take_basis(self, name: str, chosen: list[Node]) -> None:
        """Let nodes be the basis of a group; new ones get coordinates."""
        for node in chosen:
            if node.terms is None:
                node.terms = {self._new_base(name, node): 1.0}
        self._keep_basis(name, chosen)
        self._hold_together(name, chosen)

    def _mobility(self, node: Node) -> int:
        """Return an order: fixed nodes first, then those with coordinates, then sums."""
        fixed = all(self.base[k].fixed for k in node.terms)
        return (0 if fixed else 1 if len(node.terms) == 1 else 2)

    def _scaled(self, mark: FloatArray) -> FloatArray:
        """Return a mark (4) with its offset in sizes of the mechanism."""
        return mark / np.r_[1.0, 3 * (self._size if mark[0] == POINT else 1.0,)]

    def _left(self, name: str, chosen: list[Node], mark: FloatArray) -> float:
        """Return which share of a mark (4) the nodes chosen do not span, in sizes of the group."""
        offsets = np.array([node.marks[name][1:] for node in self._of_group(name)
                           if node.kind == POINT])
        middle = offsets.mean(axis=0) if len(offsets) else np.zeros(3)
        size = 2.0 * np.abs(offsets - middle).max() if len(offsets) > 1 else self._size

        def scaled(one: FloatArray) -> FloatArray:
            return np.r_[one[0], (one[1:] - one[0] * middle) / (size if one[0] == POINT else 1.0)]

        mark = scaled(mark)
        rest = mark
        if chosen:
            q, _ = np.linalg.qr(np.column_stack([scaled(node.marks[name]) for node in chosen]))
            rest = mark - q @ (q.T @ mark)
        return float(np.linalg.norm(rest) / np.linalg.norm(mark))

    def _completed(self, name: str, body: SpatialBody, chosen: list[Node], wanted: int):
        """Return nodes of this group alone that complete a basis: a point, then unit vectors."""
        nodes = []
        if not any(node.kind == POINT for node in chosen):
            nodes.append(self._node(name, POINT, body.centre_of_gravity, f'{name}.centre'))
        marks = [node.marks[name] for node in (*chosen, *nodes)]
        start = next(mark for mark in marks if mark[0] == POINT)
        spans = [mark[1:] - mark[0] * start[1:] for mark in marks if mark is not start]
        spans = [span / np.linalg.norm(span) for span in spans]
        if self._groups[name].slender:
            if not spans:
                nodes.append(self._node(name, VECTOR, body.line, f'{name}.line'))
            return nodes[:wanted - len(chosen)]
        for axis in np.eye(3):      # the body's own axes where they are free
            if len(chosen) + len(nodes) == wanted:
                break
            rest = axis - sum((q * (q @ axis) for q in _orthonormal(spans)), np.zeros(3))
            if np.linalg.norm(rest) > 0.5:
                spans.append(rest / np.linalg.norm(rest))
                nodes.append(self._node(name, VECTOR, spans[-1], f'{name}.v{len(spans)}'))
        return nodes

    def _new_base(self, name: str, node: Node) -> int:
        pose, mark = self._poses[name], node.marks[name]
        start = mark[0] * pose.at + pose.turn @ mark[1:]
        self.base.append(Base(node.label, False, start))
        return len(self.base) - 1

    def _keep_basis(self, name: str, nodes: list[Node]) -> None:
        """Note a basis; express all other nodes of the group by it that are not known."""
        matrix = np.column_stack([node.marks[name] for node in nodes])
        basis = Basis(nodes, np.linalg.pinv(matrix), matrix)
        self.bases[name] = basis
        self._done.add(name)
        for node in self._of_group(name):
            if node.terms is None:
                weights = basis.inverse @ node.marks[name]
                if np.abs(matrix @ weights - node.marks[name]).max() > 1e-9 * max(self._size, 1.0):
                    raise MechanismError(
                        f'{self._file}: bodies.{name}: is slender, {node.label} is beside its line')
                node.terms = combined(zip(weights, (one.terms for one in nodes), strict=True))

    def _hold_together(self, name: str, nodes: list[Node]) -> None:
        """Note the products of vectors between nodes of a basis that are constant.

        Without pairs whose nodes an earlier group holds together.
        """
        point = next(node for node in nodes if node.kind == POINT)
        others = [node for node in nodes if node is not point]
        vectors = [combined(((1.0, node.terms), (-node.kind, point.terms))) for node in others]
        marks = [node.marks[name][1:] - node.kind * point.marks[name][1:] for node in others]
        for i, j in combinations_with_replacement(range(len(others)), 2):
            used = {others[i], others[j]} | ({point} if POINT in (
                others[i].kind, others[j].kind) else set())
            shared = set.intersection(*(set(node.marks) for node in used))
            if not shared & self._done - {name}:
                self.products.append((vectors[i], vectors[j], float(marks[i] @ marks[j]), name))


def _orthonormal(spans: list[FloatArray]) -> FloatArray:
    """Return an orthonormal basis of some vectors (3), as rows."""
    if not spans:
        return np.zeros((0, 3))
    q, r = np.linalg.qr(np.column_stack(spans))
    return q.T[np.abs(np.diag(r)) > 1e-9]
