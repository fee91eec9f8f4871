"""The Kalman correction as an array algorithm: on the factor of the covariance, nothing subtracted.

With P = S S^T, and N N^T the covariance of the noise of the equations y = H dx + noise,

    [N, H S; 0, S]  --rotations-->  [L, 0; K L, S+]

where L L^T is the covariance of y, K the gain and S+ S+^T the corrected P.
Source: Kailath, Sayed and Hassibi 2000, Sec. 12.3.
"""

from math import isfinite

from mb_estimators.kernels.triangular import lower_triangularise
from mb_model.jit import kernel
from mb_model.kernel_api import times_factor


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
