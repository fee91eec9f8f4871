"""Clusters of joints of a large tree in space, see kernels.clusters: what loops join."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray, RecordArray
from mb_model.assembly.independent_rows import rank
from mb_model.compilation.layout import layout_of
from mb_model.compilation.spatial.layout import SpatialLayout
from mb_model.compilation.spatial.tree import SpatialTree
from mb_model.kernels import entry_points
from mb_model.kernels.clustered import CLUSTERED
from mb_model.kernels.space_loops import CUT
from mb_model.mechanism_file.description import MechanismError, SingularPositionError
from mb_model.reactions.spatial_start import enter_tree
from mb_model.record.sparse import CLUSTER

_PARALLEL = 1e-9     # weights of a vector that are a sum of nodes, times a number


def hold_nodes(mechanism: Any, record: Any, tree: SpatialTree) -> list[set[int]]:
    """Write which nodes cuts and equations see on other bodies than the tree has them on.

    Returns the joints between what each of them sees: sets.
    """
    rows = _Rows(layout_of(mechanism.described), record, tree)
    seen = [rows.of_cut(c) for c in range(int(record['cuts']))]
    seen += [rows.of_equation(int(k))
             for k in record['loop_constraint'][:int(record['loops'])]]
    _write_held(record, tree, [held for _, held in seen])
    return [joints for joints, _ in seen]


class _Rows:
    """Finds (joints between, {index of a node: (group that it is seen on, its mark there)})."""

    def __init__(self, layout: SpatialLayout, record: Any, tree: SpatialTree) -> None:
        self._record, self._tree, self._sums = record, tree, layout.sums
        self._order = {group: k for k, group in enumerate(tree.carriers)}
        self._holders, self._moving, self._n = (
            layout.holders, int(record['moving']), int(record['n']))

    def of_cut(self, c: int) -> tuple[set[int], dict[int, tuple[str, FloatArray]]]:
        """Return this of a cut.

        On earlier bodies alone: so each body agrees with those before it, and all with the tree.
        """
        record, joint = self._record, int(self._record['cut_joint'][c])
        terms = slice(*record['vector_terms'][record['cut_point'][c]:][:2])
        own = next(k for group, k in self._order.items() if self._tree.carriers[group] == joint)
        weights = dict(zip(record['term_node'][terms].tolist(),
                           record['term_weight'][terms].tolist(), strict=True))
        moving = {index: weight for index, weight in weights.items() if index < self._moving}
        ends = {joint} if len(moving) == len(weights) else {joint, -1}
        return self._nearest(self._parts(moving, own), ends, own)

    def of_equation(self, k: int) -> tuple[set[int], dict[int, tuple[str, FloatArray]]]:
        """Return this of an equation."""
        columns = self._columns(k)
        nodes = [column for column in columns if not self._moving <= column < self._n]
        indices = {3 * (column // 3) for column in nodes if column < self._moving}
        ends = {-1} if any(column >= self._n for column in nodes) else set()
        joints, held = self._nearest([self._of_node(index) for index in sorted(indices)], ends,
                                     len(self._order))
        for column in set(columns) - set(nodes):
            c = column - self._moving
            first = int(self._record['added_constraint'][c])
            for own in range(first, first + int(self._record['added_choices'][c])):
                joints = joints | self._between({
                    self._carrier(other) for other in self._columns(own)
                    if not self._moving <= other < self._n})
        return joints, held

    def _columns(self, k: int) -> list[int]:
        """Return the columns that equation k has entries in; equations in space come first."""
        record, spatial = self._record, int(self._record['spatial_equations'])
        row = record['space_row'][k] if k < spatial else record['constraint_row'][k - spatial]
        return record['entry_column'][slice(*record['row_entries'][row:row + 2])].tolist()

    def _carrier(self, column: int) -> int:
        """Return the joint that carries the node that a coordinate is of, -1: the ground."""
        return int(self._record['point_joint'][column // 3]) if column < self._moving else -1

    def _of_node(self, index: int) -> dict[str, dict[int, FloatArray]]:
        """Return {group: {index: mark}} of the groups that have a node."""
        return {group: {index: mark} for group, mark in self._holders[index].items()}

    def _parts(self, weights: Mapping[int, float], before: int
               ) -> list[dict[str, dict[int, FloatArray]]]:
        """Return the same of nodes with these weights: some as sums that bodies have as a whole.

        On a body that has a sum, but not its nodes, they are wherever the sum is right.
        """
        parts, rest = [], dict(weights)
        for terms, marks in self._sums:
            if not terms.keys() <= rest.keys() or min(map(self._order.get, marks)) >= before:
                continue
            own, sizes = (np.array([one[index] for index in terms]) for one in (rest, terms))
            factor = own @ sizes / (sizes @ sizes)
            if np.abs(own - factor * sizes).max() > _PARALLEL * np.abs(own).max():
                continue
            having = set.intersection(*(set(self._holders[index]) for index in terms))
            parts.append({group: {index: self._holders[index][group] for index in terms}
                          for group in having} | {
                group: {index: np.r_[self._record['point_kind'][index // 3],
                                     weight * mark[1:] / (sizes @ sizes)]
                        for index, weight in terms.items()}
                for group, mark in marks.items() if group not in having})
            rest = {index: weight for index, weight in rest.items() if index not in terms}
        return parts + [self._of_node(index) for index in rest]

    def _nearest(self, parts: list[dict[str, dict[int, FloatArray]]], ends: set[int], before: int
                 ) -> tuple[set[int], dict[int, tuple[str, FloatArray]]]:
        """Return what the class finds, for parts {group: {index: mark}} and some joints more.

        On one or two of the first groups of the tree, as many as `before`, that have all parts and
        leave the fewest joints between.  A part that none of these has is where the tree has it.
        """
        indices = [index for part in parts for index in next(iter(part.values()))]
        best, held = self._between(ends | {self._carrier(index) for index in indices}), {}
        parts = [{group: part[group] for group in part if self._order[group] < before}
                 or {group: part[group] for group in [min(part, key=self._order.get)]}
                 for part in parts]
        candidates = sorted({group for part in parts for group in part}, key=self._order.get)
        for a, first in enumerate(candidates):
            for second in candidates[a:]:
                chosen = [first if first in part else second for part in parts]
                if all(group in part for group, part in zip(chosen, parts, strict=True)):
                    joints = self._between(ends | {self._tree.carriers[one] for one in chosen})
                    if len(joints) < len(best):
                        best, held = joints, {
                            index: (group, mark) for group, part in zip(chosen, parts, strict=True)
                            for index, mark in part[group].items()}
        return best, held

    def _between(self, carriers: Iterable[int]) -> set[int]:
        """Return the joints between what some joints carry and what carries all of it.

        Whatever moves all of it leaves a row as it is where it is closed.
        """
        between, ends = set(), set(carriers)
        while len(ends) > 1:
            last = max(ends)      # what carries a joint comes before it
            between.add(last)
            ends = ends - {last} | {int(self._record['joint_parent'][last]) - 1}
        return between


def _write_held(record: Any, tree: SpatialTree, held: Sequence[dict[int, tuple[str, FloatArray]]]
                ) -> None:
    """Write the nodes that are seen elsewhere; held: dictionaries of _Rows."""
    begin = 0
    for k, seen in enumerate(held):
        record['held_begin'][k] = begin
        for index, (group, mark) in seen.items():
            joint, frame = tree.carriers[group], tree.frames[group]
            if joint != record['point_joint'][index // 3]:
                record['held_node'][begin], record['held_joint'][begin] = index // 3, joint
                record['held_offset'][begin] = mark[0] * frame.origin + frame.axes @ mark[1:]
                begin += 1
    record['held_begin'][len(held):] = begin


_RANK = 1e-9         # of the largest singular value: rows that others imply are below it


def write_clusters(mechanism: Any, plan: Any, model: RecordArray) -> None:
    """Write the clusters after cuts and loops.

    Raises MechanismError for one that is too large, SingularPositionError where the loops leave
    other freedoms in the start position.
    """
    CLUSTERED.met()
    record = model[0]
    between = hold_nodes(mechanism, record, plan.tree)
    cuts = int(record['cuts'])
    joined = [joints for joints in between[:cuts] for _ in range(CUT)] + between[cuts:]
    clusters = _merged(joined, plan.tree.links)
    for cluster in clusters:
        if len(cluster) > CLUSTER:
            groups = [hinge.group for hinge in plan.tree.hinges
                      if hinge.motions and hinge.last in cluster]
            raise MechanismError(
                f'{mechanism.file}: semi_recursive: with sparse storage, loops may join at most '
                f'{CLUSTER} joint coordinates; loops that share bodies join '
                f'{len(cluster)} here: {", ".join(groups[:3])}, ...')
    _write(record, clusters, joined)
    _write_freedoms(mechanism, plan, model, clusters)


def _merged(joined: Sequence[set[int]], links: int) -> list[list[int]]:
    """Return lists of joints (ascending): of rows that share some, others alone."""
    cluster = [{k} for k in range(links)]
    for joints in joined:
        if joints and not joints <= cluster[min(joints)]:
            whole = set().union(*(cluster[k] for k in joints))
            for k in whole:
                cluster[k] = whole
    return [sorted(one) for k, one in enumerate(cluster) if k == min(one)]


def _write(record: Any, clusters: Sequence[list[int]], joined: Sequence[set[int]]) -> None:
    """Write clusters and which rows of gap are theirs."""
    record['clusters'] = len(clusters)
    record['cluster_begin'][:len(clusters) + 1] = np.cumsum([0, *map(len, clusters)])
    record['cluster_joint'][:sum(map(len, clusters))] = np.concatenate(clusters)
    for c, joints in enumerate(clusters):
        record['cluster_parent'][c] = record['joint_parent'][joints[0]]
        record['joint_cluster'][joints] = c
        record['joint_slot'][joints] = range(len(joints))
    of_row = np.array([record['joint_cluster'][min(joints)] for joints in joined], dtype=int)
    record['row_cluster'][:len(joined)] = of_row
    record['cluster_row'][:len(joined)] = np.argsort(of_row, kind='stable')
    record['cluster_rows'][:len(clusters) + 1] = np.searchsorted(
        np.sort(of_row), np.arange(len(clusters) + 1))


def _write_freedoms(mechanism: Any, plan: Any, model: RecordArray, clusters: Sequence[list[int]]
                    ) -> None:
    """Write how many freedoms the loops leave each cluster, in the start position."""
    record, works = model[0], mechanism.workspace()
    works['q'][0, :mechanism.n] = mechanism.q0
    enter_tree(mechanism, plan, model, works)
    entry_points.slope_loops(model, works)
    for c, joints in enumerate(clusters):
        rows = record['cluster_row'][slice(*record['cluster_rows'][c:c + 2])]
        slopes = works['gap_s'][0, rows, :len(joints)] * record['joint_size'][joints]
        record['cluster_freedoms'][c] = len(joints) - rank(slopes, _RANK)
    freedoms = int(record['cluster_freedoms'][:len(clusters)].sum())
    if freedoms != mechanism.g:
        raise SingularPositionError(
            f'{mechanism.file}: semi_recursive: in the start position the loops leave the joints '
            f'{freedoms} degrees of freedom, the mechanism has {mechanism.g}')
