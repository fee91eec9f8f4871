"""Transition matrices f_x of filters that know how the accelerations depend on the state."""

from math import nan

from numba import boolean, float64, int64

from mb_estimators.kernels.covariance import copy_square
from mb_estimators.records.filter import FILTER
from mb_model.jit import kernel, separate
from mb_model.kernel_api import (
    fastest_rates,
    linearise,
    matrix_exponential as exponential,
    multiply,
    set_time,
    solve_multipliers,
)
from mb_model.record import WORK

STIFF = 0.1               # step times rate of the model, beyond which the published series is left

@kernel
def _identity(matrix, size):
    """Write a unit matrix."""
    for i in range(size):
        for j in range(size):
            matrix[i, j] = 1.0 if i == j else 0.0


@kernel
def _times_rates(A, B, matrix, out, g):
    """Write out = [0, I; A, B] matrix (2g, 2g)."""
    for j in range(2 * g):
        for i in range(g):
            out[i, j] = matrix[g + i, j]
            total = 0.0
            for a in range(g):
                total += A[i, a] * matrix[a, j] + B[i, a] * matrix[g + a, j]
            out[g + i, j] = total


@kernel
def _published_transition(f, A, B, g, h):
    """Write f.transition [I + h^2/2 A, hI + h^2/2 B; hA, I + hB], and a third column."""
    F, half = f.transition, 0.5 * h * h
    _identity(F, f.states)
    for i in range(g):
        for j in range(g):
            F[i, j] += half * A[i, j]
            F[i, g + j] = half * B[i, j]
            F[g + i, j] = h * A[i, j]
            F[g + i, g + j] += h * B[i, j]
        F[i, g + i] += h
        if f.motion == 3 * g:
            F[i, 2 * g + i] = half
            F[g + i, 2 * g + i] = h


@kernel
def _whole_transition(f, A, B, g, h):
    """Write f.transition = exp([0, I, 0; A, B, I; 0, 0, 0] h), whose series starts as published.

    What is not finite makes the covariance so, too, which then is none.
    """
    rates, F, motion = f.left, f.transition, f.motion
    for i in range(motion):
        for j in range(motion):
            rates[i, j] = 0.0
    for i in range(g):
        rates[i, g + i] = h
        if motion == 3 * g:
            rates[g + i, 2 * g + i] = h
        for j in range(g):
            rates[g + i, j], rates[g + i, g + j] = h * A[i, j], h * B[i, j]
    _identity(F, f.states)
    if not exponential(rates[:], motion, F[:], f.product[:], f.residual_x[:]):
        F[0, 0] = nan


@separate(FILTER, WORK['A'], WORK['B'], int64, float64, float64)
def exact_transition(f, A, B, g, h, fastest):
    """Write f.transition over a step h [s] from A = dzdd/dz and B = dzdd/dzd.

    States z, zd: [I + h^2/2 A, hI + h^2/2 B; hA, I + hB], Rodriguez et al. 2023, Eq. (77).  With
    acceleration errors, which stay: a third column [h^2/2 I; hI; I], Eq. (79).  This series makes
    the covariance of a stiff spring or damper grow without bound; where fastest, a bound of the
    rates of the model [1/s], times h is beyond STIFF, the exponential is taken that it begins.
    """
    if h * fastest > STIFF:
        _whole_transition(f, A, B, g, h)
    else:
        _published_transition(f, A, B, g, h)


@kernel
def linear_transition(model, work, f, h):
    """After linearise: write f.transition over a step h [s], exact where it begins."""
    vibration, decay = fastest_rates(model, work)
    exact_transition(f, work.A, work.B, model.g, h, vibration + decay)


@kernel
def model_transition(model, work, f, h):
    """After forward_dynamics: linearise, and do linear_transition."""
    linearise(model, work)
    linear_transition(model, work, f, h)


@separate(FILTER, WORK['A'], WORK['B'], int64, float64, int64, FILTER['left'])
def series_transition(f, A, B, g, h, order, psi):
    """Write psi (2g, 2g) and f.transition = I + J h Psi, of J = [0, I; A, B], over a step h [s].

    Psi = sum over k = 0..order of (J h)^k / (k + 1)!, which makes f.transition the exponential of
    J h up to the power order + 1.  Source: Pyrhonen et al. 2023a, Eqs. (23), (25).
    """
    size, product = 2 * g, f.product
    _identity(psi, size)
    for k in range(order, 0, -1):                       # Horner's scheme
        _times_rates(A, B, psi, product, g)
        for i in range(size):
            for j in range(size):
                psi[i, j] = h / (k + 1) * product[i, j] + (1.0 if i == j else 0.0)
    _times_rates(A, B, psi, product, g)
    _identity(f.transition, f.states)
    for i in range(size):
        for j in range(size):
            f.transition[i, j] = h * product[i, j] + (1.0 if i == j else 0.0)


SLOW = 0.5                # step times fastest vibration, up to which the trapezoidal rule is used


@kernel
def is_stiff(model, work, h):
    """After linearise: return whether the model vibrates too fast for one step of h [s].

    The trapezoidal rule makes the rate w [1/s] of a vibration smaller by (w h)^2 / 12 of it, 2 % at
    the limit.  Fast decay does no harm.
    """
    vibration, _ = fastest_rates(model, work)
    return h * vibration > SLOW


@kernel
def what_is_left(left, done):
    """Return what is left of a step after a sub-step [s]; 0 at its end."""
    return left - done if done < left else 0.0


@kernel
def end_sub_steps(model, work, t):
    """Set the time, free of the rounding of sums, and write the multipliers."""
    set_time(model, work, t)
    solve_multipliers(model, work)


@separate(FILTER, boolean)
def accumulate_transition(f, first):
    """Extend f.transition of a sub-step to the step so far, which f.tangent keeps."""
    F, before, product, size = f.transition, f.tangent, f.product, f.states
    if not first:
        multiply(F, before, size, size, size, product)
        copy_square(product, F, size)
    copy_square(F, before, size)
