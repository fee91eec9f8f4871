"""Triangular factors of covariances, without ever squaring them."""

from math import sqrt

from numba import float64, int64

from mb_model.jit import separate

_NOTHING = 1e-290         # the square of a row this short is all rounding, its inverse overflows


@separate(float64[:, ::1], int64, int64)
def lower_triangularise(a, rows, columns):
    """Make a (rows, columns >= rows) lower triangular by rotations that leave a a^T as it is.

    Householder reflections of the columns; the diagonal comes out positive or zero.
    """
    for i in range(rows):
        square = 0.0
        for j in range(i, columns):
            square += a[i, j] * a[i, j]
        if square < _NOTHING:
            for j in range(i, columns):
                a[i, j] = 0.0
            continue
        norm = sqrt(square)
        # The reflection that maps the row to (-sign norm, 0, ...): v = row + sign norm e_1.
        sign = 1.0 if a[i, i] >= 0.0 else -1.0
        a[i, i] += sign * norm
        scale = 1.0 / (norm * abs(a[i, i]))             # 2 / v^T v
        for row in range(i + 1, rows):
            total = 0.0
            for j in range(i, columns):
                total += a[row, j] * a[i, j]
            for j in range(i, columns):
                a[row, j] -= scale * total * a[i, j]
            a[row, i] *= -sign
        a[i, i] = norm
        for j in range(i + 1, columns):
            a[i, j] = 0.0
