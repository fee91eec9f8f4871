"""LU factors of mechanisms in space, which are mostly zeros: by lists of where they are not.

factor_below[k] says in which rows column k of L has entries, factor_above[k] in which columns row k
of U does: their number, then their indices.  The lists are made with the factors, and each solution
is as long as they are.  Rows are exchanged while solving, as columns come.  Source: Golub and Van
Loan 2013 (Matrix computations), Sec. 3.4.
"""

from typing import Any

from numba import float64, int64, void

from mb_model.jit import by_condition, kernel
from mb_model.kernels.linear_algebra import SINGULAR
from mb_model.record import MODEL, WORK
from mb_model.registry.spatial import IN_SPACE

_VECTOR, _MATRIX = WORK['q'], WORK['M']


@kernel
def _is_in_space(model):
    return model.solids > 0


def by_dimension(plane: Any, space: Any) -> Any:
    """Return a function for kernels: `space` for models with bodies there, else `plane`."""
    return by_condition(_is_in_space, space, plane)


@kernel
def _without(below, k, count, row):
    """Take a row out of a list; return how many are left."""
    kept = 0
    for c in range(1, count + 1):
        if below[k, c] != row:
            kept += 1
            below[k, kept] = below[k, c]
    return kept


@IN_SPACE.separate(float64, MODEL, WORK, int64)
def factor(model, work, n):
    """Factorise work.factor (n, n) in place with row pivoting; return what lu_factor returns."""
    a, below, above = work.factor, work.factor_below, work.factor_above
    sign, largest = 1.0, 0.0
    for k in range(n):
        row, pivot, count = k, abs(a[k, k]), 0
        for i in range(k + 1, n):
            size = abs(a[i, k])
            if size != 0.0:
                count += 1
                below[k, count] = i
                if size > pivot:
                    row, pivot = i, size
        largest = max(largest, pivot)
        if not pivot > SINGULAR * largest:
            return 0.0
        work.pivots[k] = row
        if row != k:
            sign = -sign
            for j in range(k, n):
                a[k, j], a[row, j] = a[row, j], a[k, j]
            if a[row, k] == 0.0:
                count = _without(below, k, count, row)
        below[k, 0] = count
        if a[k, k] < 0.0:
            sign = -sign
        width = 0
        for j in range(k + 1, n):
            if a[k, j] != 0.0:
                width += 1
                above[k, width] = j
        above[k, 0] = width
        inverse = 1.0 / a[k, k]
        for b in range(1, count + 1):
            i = below[k, b]
            share = a[i, k] * inverse
            a[i, k] = share
            for c in range(1, width + 1):
                j = above[k, c]
                a[i, j] -= share * a[k, j]
    return sign


@IN_SPACE.separate(void, MODEL, WORK, _VECTOR, int64)
def solve(model, work, b, n):
    """Solve a x = b in place."""
    a, below, above = work.factor, work.factor_below, work.factor_above
    for k in range(n):
        row = work.pivots[k]
        value = b[row]
        b[row] = b[k]
        b[k] = value
        for c in range(1, below[k, 0] + 1):
            i = below[k, c]
            b[i] -= a[i, k] * value
    for k in range(n - 1, -1, -1):
        total = b[k]
        for c in range(1, above[k, 0] + 1):
            j = above[k, c]
            total -= a[k, j] * b[j]
        b[k] = total / a[k, k]


@IN_SPACE.separate(void, MODEL, WORK, _MATRIX, int64, int64)
def solve_rows(model, work, rows, n, count):
    """Solve a x = b in place for each b in rows (count, n)."""
    a, below, above = work.factor, work.factor_below, work.factor_above
    for k in range(n):
        row = work.pivots[k]
        if row != k:
            for r in range(count):
                rows[r, k], rows[r, row] = rows[r, row], rows[r, k]
        for c in range(1, below[k, 0] + 1):
            i = below[k, c]
            share = a[i, k]
            for r in range(count):
                rows[r, i] -= share * rows[r, k]
    for k in range(n - 1, -1, -1):
        for c in range(1, above[k, 0] + 1):
            j = above[k, c]
            share = a[k, j]
            for r in range(count):
                rows[r, k] -= share * rows[r, j]
        pivot = a[k, k]
        for r in range(count):
            rows[r, k] /= pivot


@IN_SPACE.separate(void, MODEL, WORK, _VECTOR, int64)
def solve_transposed(model, work, b, n):
    """Solve a^T x = b in place."""
    a, below, above = work.factor, work.factor_below, work.factor_above
    for k in range(n):
        value = b[k] / a[k, k]
        b[k] = value
        for c in range(1, above[k, 0] + 1):
            j = above[k, c]
            b[j] -= a[k, j] * value
    for k in range(n - 1, -1, -1):
        total = b[k]
        for c in range(1, below[k, 0] + 1):
            i = below[k, c]
            total -= a[i, k] * b[i]
        row = work.pivots[k]
        b[k] = b[row]
        b[row] = total


@IN_SPACE.separate(void, MODEL, WORK, _MATRIX, int64, int64)
def solve_transposed_rows(model, work, rows, n, count):
    """Solve a^T x = b in place for each b in rows (count, n)."""
    a, below, above = work.factor, work.factor_below, work.factor_above
    for k in range(n):
        pivot = a[k, k]
        for r in range(count):
            rows[r, k] /= pivot
        for c in range(1, above[k, 0] + 1):
            j = above[k, c]
            share = a[k, j]
            for r in range(count):
                rows[r, j] -= share * rows[r, k]
    for k in range(n - 1, -1, -1):
        for c in range(1, below[k, 0] + 1):
            i = below[k, c]
            share = a[i, k]
            for r in range(count):
                rows[r, k] -= share * rows[r, i]
        row = work.pivots[k]
        if row != k:
            for r in range(count):
                rows[r, k], rows[r, row] = rows[r, row], rows[r, k]
