"""Small dense linear algebra, in place, on the leading n x n part of larger arrays.

For n up to about 40 these loops are faster than a call of LAPACK.
"""

from math import sqrt

from mb_model.jit import entry, kernel

SINGULAR = 1e-12      # a pivot this small against the largest one counts as zero


@entry
def lu_factor(a, pivots, n):
    """Factorise a (n, n) in place with row pivoting, P a = L U; L has a unit diagonal.

    Returns the sign of the determinant, 0.0 when a is singular (or not finite).
    """
    sign, largest = 1.0, 0.0
    for k in range(n):
        row, pivot = k, abs(a[k, k])
        for i in range(k + 1, n):
            if abs(a[i, k]) > pivot:
                row, pivot = i, abs(a[i, k])
        largest = max(largest, pivot)
        if not pivot > SINGULAR * largest:
            return 0.0
        pivots[k] = row
        if row != k:
            sign = -sign
            for j in range(n):
                a[k, j], a[row, j] = a[row, j], a[k, j]
        if a[k, k] < 0.0:
            sign = -sign
        inverse = 1.0 / a[k, k]
        for i in range(k + 1, n):
            if a[i, k] != 0.0:
                a[i, k] *= inverse
                for j in range(k + 1, n):
                    a[i, j] -= a[i, k] * a[k, j]
    return sign


@entry
def lu_solve(lu, pivots, b, n):
    """Solve a x = b in place, from lu_factor.

    Each sum waits for its last term, so that leaving out zeros, of which factors of constraints
    have many, saves time.
    """
    for k in range(n):
        row = pivots[k]
        b[k], b[row] = b[row], b[k]
    for i in range(1, n):
        total = b[i]
        for j in range(i):
            if lu[i, j] != 0.0:
                total -= lu[i, j] * b[j]
        b[i] = total
    for i in range(n - 1, -1, -1):
        total = b[i]
        for j in range(i + 1, n):
            if lu[i, j] != 0.0:
                total -= lu[i, j] * b[j]
        b[i] = total / lu[i, i]


@entry
def lu_solve_rows(lu, pivots, rows, n, count):
    """Solve a x = b in place for each b in rows (count, n), from lu_factor.

    To the bits of lu_solve, several in the time of one: none waits for the others.
    """
    if count == 1:
        lu_solve(lu, pivots, rows[0], n)
        return
    for c in range(count):
        for k in range(n):
            row = pivots[k]
            rows[c, k], rows[c, row] = rows[c, row], rows[c, k]
    for i in range(1, n):
        for j in range(i):
            factor = lu[i, j]
            if factor != 0.0:
                for c in range(count):
                    rows[c, i] -= factor * rows[c, j]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            factor = lu[i, j]
            if factor != 0.0:
                for c in range(count):
                    rows[c, i] -= factor * rows[c, j]
        for c in range(count):
            rows[c, i] /= lu[i, i]


@entry
def lu_solve_transposed(lu, pivots, b, n):
    """Solve a^T x = b in place, from lu_factor."""
    for i in range(n):
        total = b[i]
        for j in range(i):
            total -= lu[j, i] * b[j]
        b[i] = total / lu[i, i]
    for i in range(n - 2, -1, -1):
        total = b[i]
        for j in range(i + 1, n):
            total -= lu[j, i] * b[j]
        b[i] = total
    for k in range(n - 1, -1, -1):
        row = pivots[k]
        b[k], b[row] = b[row], b[k]


@entry
def lu_solve_transposed_rows(lu, pivots, rows, n, count):
    """Solve a^T x = b in place for each b in rows (count, n), from lu_factor.

    To the bits of lu_solve_transposed, see lu_solve_rows.
    """
    if count == 1:
        lu_solve_transposed(lu, pivots, rows[0], n)
        return
    for i in range(n):
        for j in range(i):
            factor = lu[j, i]
            if factor != 0.0:
                for c in range(count):
                    rows[c, i] -= factor * rows[c, j]
        for c in range(count):
            rows[c, i] /= lu[i, i]
    for i in range(n - 2, -1, -1):
        for j in range(i + 1, n):
            factor = lu[j, i]
            if factor != 0.0:
                for c in range(count):
                    rows[c, i] -= factor * rows[c, j]
    for c in range(count):
        for k in range(n - 1, -1, -1):
            row = pivots[k]
            rows[c, k], rows[c, row] = rows[c, row], rows[c, k]


@entry
def cholesky_factor(a, n):
    """Factorise a symmetric positive definite a (n, n) in place, lower triangle: a = L L^T.

    Reads the lower triangle only.  Returns False when a is not positive definite (or not finite).
    """
    for j in range(n):
        diagonal = a[j, j]
        for k in range(j):
            diagonal -= a[j, k] * a[j, k]
        if not diagonal > 0.0:
            return False
        diagonal = sqrt(diagonal)
        a[j, j] = diagonal
        inverse = 1.0 / diagonal
        for i in range(j + 1, n):
            total = a[i, j]
            for k in range(j):
                total -= a[i, k] * a[j, k]
            a[i, j] = total * inverse
    return True


@kernel
def solve_lower(lower, b, n):
    """Solve L x = b in place."""
    for i in range(n):
        total = b[i]
        for j in range(i):
            total -= lower[i, j] * b[j]
        b[i] = total / lower[i, i]


@kernel
def solve_lower_transposed(lower, b, n):
    """Solve L^T x = b in place."""
    for i in range(n - 1, -1, -1):
        total = b[i]
        for j in range(i + 1, n):
            total -= lower[j, i] * b[j]
        b[i] = total / lower[i, i]


@entry
def cholesky_solve(lower, b, n):
    """Solve a x = b in place, from cholesky_factor."""
    solve_lower(lower, b, n)
    solve_lower_transposed(lower, b, n)


@kernel
def cholesky_solve_columns(lower, columns, n, count):
    """Solve a x = b in place for each b in columns (n, count), from cholesky_factor.

    To the bits of cholesky_solve.
    """
    if n == 1:
        for c in range(count):
            columns[0, c] = columns[0, c] / lower[0, 0] / lower[0, 0]
        return
    for i in range(n):
        for j in range(i):
            share = lower[i, j]
            for c in range(count):
                columns[i, c] -= share * columns[j, c]
        pivot = lower[i, i]
        for c in range(count):
            columns[i, c] /= pivot
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            share = lower[j, i]
            for c in range(count):
                columns[i, c] -= share * columns[j, c]
        pivot = lower[i, i]
        for c in range(count):
            columns[i, c] /= pivot
