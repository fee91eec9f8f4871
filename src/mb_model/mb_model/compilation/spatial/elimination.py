"""In which order a symmetric matrix is eliminated, so that few of its zeros are filled.

Coordinates that act together are neighbours.  Eliminating one makes its neighbours neighbours of
each other: these are the entries of the factor.  Source: George and Liu 1981 (Computer solution of
large sparse positive definite systems), Ch. 5: minimum degree.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mb_model.arrays import IntArray
from mb_model.compilation.spatial.layout import SpatialLayout
from mb_model.constraints.equation import Equation
from mb_model.space.equation import NONE, SpatialEquation
from mb_model.space.force import SpatialElement


def row_columns(layout: SpatialLayout, equations: Sequence[Equation | SpatialEquation]
                ) -> list[list[int]]:
    """Return for each row of phi_q the columns that it has entries in, ascending."""
    rows = []
    for equation in equations:
        if isinstance(equation, SpatialEquation):
            columns = _of_vectors(layout, equation.vectors) | set(equation.scalars)
        else:
            columns = set(equation.index)
        rows += equation.rows * [sorted(k for k in columns if k != NONE)]
    return rows


def acting_groups(layout: SpatialLayout, rows: Sequence[list[int]],
                  elements: Iterable[SpatialElement]) -> list[list[int]]:
    """Return lists of moving coordinates that have entries in common rows of tangents."""
    n = len(layout.names)
    return [[k for k in group if k < n] for group in (*rows, *coupled(layout, elements))]


def envelope(layout: SpatialLayout, rows: Sequence[list[int]], elements: Iterable[SpatialElement]
             ) -> IntArray:
    """Return where each row of M + phi_q^T alpha phi_q, slopes of forces too, begins (n)."""
    n = len(layout.names)
    first = np.arange(n)
    for moving in acting_groups(layout, rows, elements):
        if moving:
            first[moving] = np.minimum(first[moving], min(moving))
    return first


def coupled(layout: SpatialLayout, elements: Iterable[SpatialElement]) -> list[list[int]]:
    """Return the indices that act together in bodies and in forces on no coordinate."""
    return [[index + axis for index in solid.weights for axis in range(3)]
            for solid in layout.solids] + [
                list(_of_vectors(layout, element.index)) for element in elements]


def _of_vectors(layout: SpatialLayout, vectors: Iterable[int]) -> set[int]:
    """Return the indices of the coordinates of vectors."""
    return {node + axis for k in vectors if k != NONE for node, _ in layout.vectors[k]
            for axis in range(3)}


PIECE = 3      # rows that kernels.listed_cholesky eliminates at once: the nodes' x, y, z


@dataclass(frozen=True)
class Elimination:
    """order: slot -> coordinate (n); later: of each slot the later ones its row has entries in.
    """

    order: IntArray
    later: Sequence[IntArray]

    @cached_property
    def multiplications(self) -> int:
        """How many a factorisation takes."""
        return sum(len(row) * (len(row) + 3) // 2 for row in self.later)

    @property
    def pieces(self) -> IntArray:
        """Of each slot the rows that are eliminated at once from it on: PIECE alike ones, or 1."""
        width, k, n = np.ones(len(self.order), dtype=int), 0, len(self.order)
        while k < n:
            alike = k + PIECE <= n and all(
                np.array_equal(self.later[k + j], np.r_[k + j + 1, self.later[k + j + 1]])
                for j in range(PIECE - 1))
            width[k] = PIECE if alike else 1
            k += width[k]
        return width


def best_elimination(groups: Iterable[Sequence[int]], n: int) -> Elimination:
    """Return the Elimination with the fewest multiplications, of several orders.

    Coordinates as they are is one of them.  groups: coordinates below n that act together.
    """
    neighbours = [1 << k for k in range(n)]
    for group in groups:
        together = sum(1 << k for k in set(group))
        for k in group:
            neighbours[k] |= together
    orders = list(range(n)), _minimum_degree(neighbours, 1), _minimum_degree(neighbours, -1)
    return min((_eliminated(neighbours, order) for order in orders),
               key=lambda elimination: elimination.multiplications)


def _minimum_degree(neighbours: Sequence[int], tie: int) -> list[int]:
    """Return an order: next is who has the fewest neighbours, of several the first or the last."""
    left, left_neighbours, order = set(range(len(neighbours))), list(neighbours), []
    while left:
        k = min(left, key=lambda i: (left_neighbours[i].bit_count(), tie * i))
        left.remove(k)
        order.append(k)
        _fill(left_neighbours, k)
    return order


def _fill(neighbours: list[int], k: int) -> int:
    """Take coordinate k out, whose neighbours become neighbours of each other."""
    others = neighbours[k] & ~(1 << k)
    for i in _bits(others):
        neighbours[i] = (neighbours[i] | others) & ~(1 << k)
    return others


def _bits(number: int) -> list[int]:
    """Return the indices of the ones in the binary form of a number, ascending."""
    return [k for k, digit in enumerate(reversed(bin(number)[2:])) if digit == '1']


def _eliminated(neighbours: Sequence[int], order: Sequence[int]) -> Elimination:
    """Return the Elimination of an order."""
    left, slot = list(neighbours), np.argsort(order)
    return Elimination(np.array(order, dtype=int),
                       [np.sort(slot[_bits(_fill(left, k))]) for k in order])
