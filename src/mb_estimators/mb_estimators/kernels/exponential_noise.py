"""A linear system with white noise over a step: transition, increment and noise, all exact.

Stiff systems too: the series of a short step, which is doubled until it is the whole one.
"""

from math import isfinite

from numba import float64, int64

from mb_estimators.kernels.covariance import propagate
from mb_estimators.records.filter import FILTER
from mb_estimators.records.oil import HYDRAULIC
from mb_model.jit import kernel, separate
from mb_model.kernel_api import add_by_transposed, multiply_in_blocks

_ACCURACY = 1e-11         # share by which the series may end too early
_SHORT = 0.25             # a short step, in time constants of the fastest state
_MOST_DOUBLINGS = 40


@kernel
def _speed(A, first, size):
    """Return a bound of the rates [1/s] at which states from `first` on settle.

    The states before are integrals, whose series ends.
    """
    speed = 0.0
    for i in range(first, size):
        total = 0.0
        for j in range(first, size):
            total += abs(A[i, j])
        speed = max(speed, total) if total == total else total
    return speed


@kernel
def _order(angle):
    """Return how many powers of A h the series needs, for a step of `angle` time constants.

    Three belong to the integrals, which pass noise of the third on to what settles.
    """
    order, left = 4, angle ** 5 / 120.0
    while left > _ACCURACY:
        order += 1
        left *= angle / (order + 1.0)
    return order


@kernel
def _short_transition(f, y, size, h, order):
    """Write the series of f.transition = exp(A h) and y.increment = Psi h rates."""
    F, term, product = f.transition, y.term, y.product
    for i in range(size):
        for j in range(size):
            term[i, j] = h * y.A[i, j]
            F[i, j] = term[i, j] + (1.0 if i == j else 0.0)
        y.increment[i] = h * y.rates[i]
    for n in range(2, order + 1):
        for i in range(size):                       # Psi h rates: its series is one behind
            total = 0.0
            for j in range(size):
                total += term[i, j] * y.rates[j]
            y.increment[i] += total * h / n
        multiply_in_blocks(y.A, term, size, h / n, product)
        for i in range(size):
            for j in range(size):
                term[i, j] = product[i, j]
                F[i, j] += product[i, j]


@kernel
def _short_noise(y, size, h, order):
    """Write the series of y.noise, the integral of exp(A t) psd exp(A t)^T over h [s].

    Its derivatives at 0 are W = psd, A W + W A^T, and so on.
    """
    term, product = y.term, y.product
    for i in range(size):
        for j in range(size):
            y.noise[i, j] = term[i, j] = h * y.psd[i] if i == j else 0.0
    for n in range(1, order + 1):
        multiply_in_blocks(y.A, term, size, h / (n + 1), product)
        for i in range(size):
            for j in range(size):
                term[i, j] = product[i, j] + product[j, i]
                y.noise[i, j] += term[i, j]


@kernel
def _double(f, y, size):
    """Turn transition, increment and noise of a step into the ones of two steps."""
    F, half, product = f.transition, y.term, y.product
    for i in range(size):
        total = y.increment[i]
        for j in range(size):
            half[i, j] = F[i, j]
            total += F[i, j] * y.increment[j]
        y.vector[i] = total
    for i in range(size):
        y.increment[i] = y.vector[i]
    multiply_in_blocks(half, y.noise, size, 1.0, product)
    add_by_transposed(product, half, size, size, y.noise)
    multiply_in_blocks(half, half, size, 1.0, F)


@separate(FILTER, HYDRAULIC, int64, float64)
def discretise(f, y, first, h):
    """Write f.transition, y.increment and y.noise of x' = A x + rates + noise over h [s], x(0) = 0.

    f.transition = I + A h Psi and y.increment = h Psi rates with Psi = sum of (A h)^n / (n + 1)!:
    Pyrhonen et al. 2023b, Eqs. (34)-(38).  y.noise is the integral of Eq. (45) whole, as Van Loan's
    method has it: the closed forms (46)-(49) end with h^3 and leave out what the accelerations do
    to positions and pressures, which counts where the time constants of the oil are shorter than h.
    first: the states before it are integrals.  Biases of sensors, the last states, stay.
    Returns False if a rate is not finite, or so fast that doubling would leave rounding alone.
    """
    size = f.motion
    speed, count = _speed(y.A, first, size), 0
    if not speed * h <= _SHORT * 2.0 ** _MOST_DOUBLINGS:
        return False
    while speed * h > _SHORT:
        h *= 0.5
        count += 1
    order = _order(speed * h)
    _short_transition(f, y, size, h, order)
    _short_noise(y, size, h, order)
    for _ in range(count):
        _double(f, y, size)
    for i in range(size, f.states):
        for j in range(f.states):
            f.transition[i, j] = 1.0 if i == j else 0.0
            f.transition[j, i] = f.transition[i, j]
    return True


@kernel
def move_on(f, y, first, h):
    """Move f.x on by h [s] as `discretise` says, propagate f.P, and forget what y has solved.

    Returns False if there is no finite state to go on to.
    """
    if not discretise(f, y, first, h):
        return False
    total = 0.0
    for i in range(f.motion):
        f.x[i] += y.increment[i]
        total += f.x[i]
    if not isfinite(total):
        return False
    propagate(f)
    for i in range(f.motion):
        for j in range(f.motion):
            f.P[i, j] += y.noise[i, j]
    y.solved = 0
    return True
