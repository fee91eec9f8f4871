"""Which rows of a matrix are independent: for constraints and coordinates.

Nothing here waits for the threads of a linear algebra library, which takes longer than the sums.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray

RANK = 1e-9         # what is left of a row against the largest one, if it depends on others
_AS_GOOD = 0.4      # the first choice is taken if it is so good against the best one
_LITTLE = 1e-2      # of a norm: what is left by differences would be rounding


def rank(matrix: FloatArray, precision: float = RANK) -> int:
    """Return the rank of a matrix to a precision; numpy 1's matrix_rank takes no share."""
    sizes = np.linalg.svd(matrix, compute_uv=False)
    return int(np.count_nonzero(sizes > precision * sizes.max(initial=0.0)))


def independent_keys(matrix: FloatArray, blocks: Mapping[Any, list[int]],
                     *candidates: Iterable[Any], precision: float = RANK) -> list[Any]:
    """Return the keys of blocks of rows that are linearly independent, as many as there are.

    Orthogonalises with pivoting; earlier groups of candidates go first, and within a group the
    first candidate that is nearly as good as the best.
    """
    return _chosen(_Rest(matrix), blocks, candidates, precision)


def null_projector(matrix: FloatArray, size: int) -> FloatArray:
    """Return P (n, n), which leaves of a vector (n) what a matrix (m, n) takes to zero.

    size: of that space; where the matrix leaves more or less to a precision, the nearest to zero.
    """
    m, n = matrix.shape
    if not size:
        return np.zeros((n, n))
    if m == n - size:
        rest = _Rest(matrix)
        if len(_chosen(rest, {k: [k] for k in range(m)}, [range(m)], RANK)) == m:
            return np.eye(n) - rest.units.T @ rest.units
    motions = np.linalg.svd(matrix)[2][n - size:]
    return motions.T @ motions


def _chosen(rest: '_Rest', blocks: Mapping[Any, list[int]], candidates: Iterable[Iterable[Any]],
            precision: float) -> list[Any]:
    """Leave out the rows of keys, see independent_keys, and return these."""
    chosen, least = [], precision * rest.norms.max(initial=0.0)
    for group in candidates:
        keys = list(group)
        rows = [row for key in keys for row in blocks[key]]
        firsts = np.cumsum([0, *(len(blocks[key]) for key in keys[:-1])])
        waiting = np.ones(len(keys), bool)
        while waiting.any():
            left = np.where(waiting, np.minimum.reduceat(rest.norms[rows], firsts), -np.inf)
            if not left.max() > least:
                break
            first = int(np.argmax(left >= _AS_GOOD * left.max()))
            waiting[first] = False
            chosen.append(keys[first])
            for row in blocks[keys[first]]:
                rest.leave_out(row)
    return chosen


class _Rest:
    """Rows of a matrix (m, n) without what they share with directions that are left out.

    norms (m): of what is left.  Source: Golub and Van Loan 2013 (Matrix Computations), Sec. 5.4.2:
    norms follow from those before by Pythagoras, anew from the rows where little is left.  Shares
    are of the matrix as it was, in which most numbers are 0: what is left of it has none.
    """

    def __init__(self, matrix: FloatArray) -> None:
        self._matrix = matrix
        self._row, self._column = np.nonzero(matrix)
        self._numbers = matrix[self._row, self._column]
        self._units = np.empty(matrix.shape)
        self._shares = np.empty((len(matrix), len(matrix)))
        self._count = 0
        self.norms = np.linalg.norm(matrix, axis=1)
        self._known = self.norms.copy()         # where they were last found from the rows

    @property
    def units(self) -> FloatArray:
        """The directions that are left out (k, n), an orthonormal basis."""
        return self._units[:self._count]

    def leave_out(self, row: int) -> None:
        """Leave out the direction of what is left of a row."""
        rest = self._left_of(row)
        rest -= np.einsum('i,ij->j', np.einsum('ij,j->i', self.units, rest), self.units)
        unit = rest / np.linalg.norm(rest)      # the line above: of rounding
        shares = np.bincount(self._row, self._numbers * unit[self._column], len(self._matrix))
        self._units[self._count], self._shares[:, self._count] = unit, shares
        self._count += 1
        self.norms = np.sqrt(np.maximum(self.norms ** 2 - shares ** 2, 0.0))
        self.norms[row] = self._known[row] = 0.0
        for other in np.flatnonzero(self.norms < _LITTLE * self._known):
            self.norms[other] = self._known[other] = np.linalg.norm(self._left_of(other))

    def _left_of(self, row: int) -> FloatArray:
        """Return what is left of a row (n)."""
        shares = self._shares[row, :self._count]
        return self._matrix[row] - np.einsum('i,ij->j', shares, self.units)
