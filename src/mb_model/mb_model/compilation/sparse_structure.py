"""Where the numbers of a large mechanism are stored: found once, from what addresses what.

Coordinates that act together get neighbouring slots (reverse Cuthill-McKee), coordinates of a point
side by side.  Along a chain, a ring or a ladder of loops the matrices then are narrow bands.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching, reverse_cuthill_mckee

from mb_model.arrays import IntArray
from mb_model.constraints.equation import Equation
from mb_model.mechanism_file.description import MechanismError
from mb_model.record.sparse import MAX_BAND, MAX_PROFILE
from mb_model.space.equation import SpatialEquation


def write_structure(record: Any, equations: Sequence[Equation | SpatialEquation],
                    addressed: list[list[int]], coupled: list[list[int]], points: list[list[int]],
                    file: str) -> None:
    """Fill the structure of a SPARSE_MODEL record whose numbers n, m and z are in place.

    addressed: of each equation, coupled: of each body and force, the coordinates that it addresses;
    points: lists of the coordinates of each point.  Raises MechanismError where the matrices need
    too much room.
    """
    n, m = int(record['n']), int(record['m'])
    slot = _slots(n, points, addressed + coupled)
    rows = [[k for k in group if k < n] for equation, group
            in zip(equations, addressed, strict=True) for _ in range(equation.rows)]
    _write_rows(record, equations, addressed, slot)
    record['tangent_index'][:n] = slot
    for field, name, size, most in (
            ('profile', 'profile', _write_profile(record, rows + coupled, slot), MAX_PROFILE),
            ('dependent_band', 'position band', _write_dependent(record, rows, slot), MAX_BAND),
            ('augmented_band', 'force band', _write_augmented(record, rows, coupled, n, m),
             MAX_BAND)):
        if size > most:
            raise MechanismError(f'{file}: too many coordinates act together: the {name} of its '
                                 f'matrices has {size} numbers, at most {most} are possible')
        record[field] = size


def _slots(n: int, points: Sequence[list[int]], groups: Iterable[list[int]]) -> IntArray:
    """Return coordinate -> slot (n)."""
    node = {i: point[0] for point in points for i in point[1:]}
    others = {point[0]: point for point in points}
    edges = {pair for group in groups
             for pair in combinations(sorted({node.get(i, i) for i in group if i < n}), 2)}
    order = []
    for k in _narrow_order(n, edges):
        if k not in node:
            order += others.get(k, [k])
    slot = np.empty(n, dtype=int)
    slot[order] = np.arange(n)
    return slot


def _narrow_order(size: int, edges: set[tuple[int, int]]) -> list[int]:
    """Return the nodes of a graph in an order in which neighbours are near."""
    first, second = np.array(sorted(edges) or [(0, 0)]).T
    graph = csr_array((np.ones(2 * len(first)), (np.r_[first, second], np.r_[second, first])),
                      (size, size))
    return reverse_cuthill_mckee(graph, symmetric_mode=True).tolist()


def _write_rows(record: Any, equations: Sequence[Equation | SpatialEquation],
                addressed: Sequence[list[int]], slot: IntArray) -> None:
    """Write which coordinates each equation gathers: moving ones by slot, then fixed ones."""
    n, row, k = len(slot), 0, 0
    for equation, group in zip(equations, addressed, strict=True):
        moving = sorted((i for i in group if i < n), key=slot.__getitem__)
        local = moving + [i for i in group if i >= n]
        if isinstance(equation, Equation):
            record['local_index'][k, :len(equation.index)] = [
                local.index(i) for i in equation.index]
            k += 1
        for _ in range(equation.rows):
            record['row_gathered'][row], record['row_width'][row] = len(local), len(moving)
            record['row_coordinate'][row, :len(local)] = local
            row += 1


def _write_profile(record: Any, groups: Iterable[list[int]], slot: IntArray) -> int:
    """Write the profile of the tangent; return its size."""
    n = len(slot)
    first = np.arange(n)
    for group in groups:
        slots = slot[[i for i in group if i < n]]
        if len(slots):
            first[slots] = np.minimum(first[slots], slots.min())
    lengths = np.arange(n) - first + 1
    record['first'][:n] = first
    record['start'][:n] = np.cumsum(lengths) - lengths - first
    return int(lengths.sum())


def _write_dependent(record: Any, rows: Sequence[list[int]], slot: IntArray) -> int:
    """Write rows and columns of the system of the dependent coordinates; return its size.

    The column of a coordinate follows from its slot, a row goes where its matched column is, so
    that no diagonal is empty unless the mechanism is singular in every position.  With redundant
    equations there is no such system.
    """
    n, m = len(slot), len(rows)
    if m != n - int(record['g']):
        return 0
    dependent = record['dependent'][:m]
    column = np.full(n, -1)
    column[dependent[np.argsort(slot[dependent])]] = np.arange(m)
    entries = [(row, column[i]) for row, group in enumerate(rows) for i in group if column[i] >= 0]
    row, at = np.array(entries).T
    matched = maximum_bipartite_matching(csr_array((np.ones(len(row)), (row, at)), (m, m)), 'row')
    matched[matched < 0] = np.setdiff1d(np.arange(m), matched)
    where = np.empty(m, dtype=int)
    where[matched] = np.arange(m)
    below, above = np.max(where[row] - at, initial=0), np.max(at - where[row], initial=0)
    record['dependent_column'][:n], record['dependent_row'][:m] = column, where
    record['dependent_below'], record['dependent_above'] = below, above
    return int(m * (2 * below + above + 1))


def _write_augmented(record: Any, rows: Sequence[list[int]], coupled: Iterable[list[int]], n: int,
                     m: int) -> int:
    """Write the slots of coordinates and multipliers in Lagrange's equations; return its size."""
    edges = {(i, n + row) for row, group in enumerate(rows) for i in group}
    for group in coupled:
        edges |= set(combinations([i for i in group if i < n], 2))
    slot = np.empty(n + m, dtype=int)
    slot[_narrow_order(n + m, edges)] = np.arange(n + m)
    width = max((abs(int(slot[i] - slot[j])) for i, j in edges), default=0)
    record['augmented_index'][:n + m], record['augmented_width'] = slot, width
    return (n + m) * (3 * width + 1)
