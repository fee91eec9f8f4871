"""The Kalman correction as an array algorithm: on the factor of the covariance, nothing subtracted.

With P = S S^T, and N N^T the covariance of the noise of the equations y = H dx + noise,

    [N, H S; 0, S]  --rotations-->  [L, 0; K L, S+]

where L L^T is the covariance of y, K the gain and S+ S+^T the corrected P.
Source: Kailath, Sayed and Hassibi 2000, Sec. 12.3.
"""

from math import isfinite, sqrt

from numba import float64, int64

from mb_model.jit import kernel, separate
from mb_model.kernel_api import times_factor

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


@kernel
def weigh(f, rows):
    """From f.H, noise and misfit of `rows` equations write f.dx = K misfit; S+ stays in f.array.

    Returns False if the covariance of the equations is not positive definite.
    """
    array, size = f.array, f.states
    for a in range(rows):
        for b in range(rows):
            array[a, b] = f.noise[a, b] if b <= a else 0.0
    times_factor(f.H, f.factor, rows, size, array[:, rows:])
    for i in range(size):
        for b in range(rows):
            array[rows + i, b] = 0.0
        for j in range(size):
            array[rows + i, rows + j] = f.factor[i, j] if j <= i else 0.0
    lower_triangularise(array[:], rows + size, rows + size)
    for a in range(rows):
        total = f.misfit[a]
        for b in range(a):
            total -= array[a, b] * f.weighted[b]
        if not array[a, a] > 0.0:
            return False
        f.weighted[a] = total / array[a, a]
    check = 0.0
    for i in range(size):
        f.dx[i] = 0.0
        for a in range(rows):
            f.dx[i] += array[rows + i, a] * f.weighted[a]
        check += f.dx[i]
    return isfinite(check)


@kernel
def take_factor(f, rows):
    """Make S+, which weigh left behind `rows` equations, the factor of the covariance."""
    for i in range(f.states):
        for j in range(i + 1):
            f.factor[i, j] = f.array[rows + i, rows + j]
