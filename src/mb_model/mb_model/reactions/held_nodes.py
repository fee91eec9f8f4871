"""Which body each row that closes loops sees nodes on, see kernels.held_nodes.

A row that sees its nodes on near bodies joins few joints to a cluster.
"""

import numpy as np

from mb_model.compilation.layout import layout_of

_PARALLEL = 1e-9     # weights of a vector that are those of a sum of nodes, times a number


def hold_nodes(mechanism, record, tree):
    """Write which nodes cuts and equations see on other bodies than the tree has them on.

    Returns the joints between what each of them sees: sets.
    """
    rows = _Rows(layout_of(mechanism.described), record, tree)
    seen = [rows.of_cut(c) for c in range(int(record['cuts']))]
    seen += [rows.of_equation(int(k))
             for k in record['loop_constraint'][:int(record['loops'])]]
    _write(record, tree, [held for _, held in seen])
    return [joints for joints, _ in seen]


class _Rows:
    """Finds (joints between, {place of a node: (group that it is seen on, its mark there)})."""

    def __init__(self, layout, record, tree):
        self._record, self._tree, self._sums = record, tree, layout.sums
        self._order = {group: k for k, group in enumerate(tree.carriers)}
        self._holders, self._moving, self._n = (
            layout.holders, int(record['moving']), int(record['n']))

    def of_cut(self, c):
        """Return this of a cut.

        On earlier bodies alone: so each body agrees with those before it, and all with the tree.
        """
        record, joint = self._record, int(self._record['cut_joint'][c])
        terms = slice(*record['vector_terms'][record['cut_point'][c]:][:2])
        own = next(k for group, k in self._order.items() if self._tree.carriers[group] == joint)
        weights = dict(zip(record['term_node'][terms].tolist(),
                           record['term_weight'][terms].tolist(), strict=True))
        moving = {place: weight for place, weight in weights.items() if place < self._moving}
        ends = {joint} if len(moving) == len(weights) else {joint, -1}
        return self._nearest(self._parts(moving, own), ends, own)

    def of_equation(self, k):
        """Return this of an equation."""
        columns = self._columns(k)
        nodes = [column for column in columns if not self._moving <= column < self._n]
        places = {3 * (column // 3) for column in nodes if column < self._moving}
        ends = {-1} if any(column >= self._n for column in nodes) else set()
        joints, held = self._nearest([self._of_node(place) for place in sorted(places)], ends,
                                     len(self._order))
        for column in set(columns) - set(nodes):
            c = column - self._moving
            first = int(self._record['added_constraint'][c])
            for own in range(first, first + int(self._record['added_choices'][c])):
                joints = joints | self._between({
                    self._carrier(other) for other in self._columns(own)
                    if not self._moving <= other < self._n})
        return joints, held

    def _columns(self, k):
        """Return the columns that equation k has entries in; equations in space come first."""
        record, spatial = self._record, int(self._record['spatial_equations'])
        row = record['space_row'][k] if k < spatial else record['constraint_row'][k - spatial]
        return record['entry_column'][slice(*record['row_entries'][row:row + 2])].tolist()

    def _carrier(self, column):
        """Return the joint that carries the node that a coordinate is of, -1: the ground."""
        return int(self._record['point_joint'][column // 3]) if column < self._moving else -1

    def _of_node(self, place):
        """Return {group: {place: mark}} of the groups that have a node."""
        return {group: {place: mark} for group, mark in self._holders[place].items()}

    def _parts(self, weights, before):
        """Return the same of nodes with these weights: some as sums that bodies have as a whole.

        On a body that has a sum, but not its nodes, they are wherever the sum is right.
        """
        parts, rest = [], dict(weights)
        for terms, marks in self._sums:
            if not terms.keys() <= rest.keys() or min(map(self._order.get, marks)) >= before:
                continue
            own, sizes = (np.array([one[place] for place in terms]) for one in (rest, terms))
            factor = own @ sizes / (sizes @ sizes)
            if np.abs(own - factor * sizes).max() > _PARALLEL * np.abs(own).max():
                continue
            having = set.intersection(*(set(self._holders[place]) for place in terms))
            parts.append({group: {place: self._holders[place][group] for place in terms}
                          for group in having} | {
                group: {place: np.r_[self._record['point_kind'][place // 3],
                                     weight * mark[1:] / (sizes @ sizes)]
                        for place, weight in terms.items()}
                for group, mark in marks.items() if group not in having})
            rest = {place: weight for place, weight in rest.items() if place not in terms}
        return parts + [self._of_node(place) for place in rest]

    def _nearest(self, parts, ends, before):
        """Return what the class finds, for parts {group: {place: mark}} and some joints more.

        On one or two of the first groups of the tree, as many as `before`, that have all parts and
        leave the fewest joints between.  A part that none of these has is where the tree has it.
        """
        places = [place for part in parts for place in next(iter(part.values()))]
        best, held = self._between(ends | {self._carrier(place) for place in places}), {}
        parts = [{group: part[group] for group in part if self._order[group] < before}
                 or {group: part[group] for group in [min(part, key=self._order.get)]}
                 for part in parts]
        candidates = sorted({group for part in parts for group in part}, key=self._order.get)
        for a, first in enumerate(candidates):
            for second in candidates[a:]:
                chosen = [first if first in part else second for part in parts]
                if all(group in part for group, part in zip(chosen, parts, strict=True)):
                    found = self._between(ends | {self._tree.carriers[one] for one in chosen})
                    if len(found) < len(best):
                        best, held = found, {
                            place: (group, mark) for group, part in zip(chosen, parts, strict=True)
                            for place, mark in part[group].items()}
        return best, held

    def _between(self, carriers):
        """Return the joints between what some joints carry and what carries all of it.

        Whatever moves all of it leaves a row as it is where it is closed.
        """
        between, ends = set(), set(carriers)
        while len(ends) > 1:
            last = max(ends)      # what carries a joint comes before it
            between.add(last)
            ends = ends - {last} | {int(self._record['joint_parent'][last]) - 1}
        return between


def _write(record, tree, held):
    """Write the nodes that are seen elsewhere; held: dictionaries of _Rows."""
    begin = 0
    for k, seen in enumerate(held):
        record['held_begin'][k] = begin
        for place, (group, mark) in seen.items():
            joint, frame = tree.carriers[group], tree.frames[group]
            if joint != record['point_joint'][place // 3]:
                record['held_node'][begin], record['held_joint'][begin] = place // 3, joint
                record['held_place'][begin] = mark[0] * frame.origin + frame.axes @ mark[1:]
                begin += 1
    record['held_begin'][len(held):] = begin
