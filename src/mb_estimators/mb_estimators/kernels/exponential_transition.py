"""Transition and plant noise of a step of the linearised equations, both by the exponential."""

from math import isfinite

from numba import float64, int64

from mb_estimators.records.exponential import EXPONENTIAL
from mb_estimators.records.filter import FILTER
from mb_model.jit import kernel, separate
from mb_model.kernel_api import (
    SHORT_NORM as SHORT,
    add_congruence,
    multiply_sparse,
    short_exponential,
    shorten_matrix as shorten,
    square_matrix as square,
)
from mb_model.record import WORK

_ACCURACY = 1e-17         # of the term after the last one of the series of the noise
_LEAST = 5                # terms, as in matrix_exponential


@kernel
def state_of(e, g, i):
    """Return which state of the filter the state i of e.transition and e.noise is."""
    return i if i < 2 * g else e.first + i - 2 * g


@kernel
def _write_rates(e, A, B, g, n, h):
    """Write e.rates = h [0, I, 0; A, B, zdd_s; 0, 0, 0] (n, n)."""
    for i in range(n):
        for j in range(n):
            e.rates[i, j] = 0.0
    for i in range(g):
        e.rates[i, g + i] = h
        for j in range(g):
            e.rates[g + i, j], e.rates[g + i, g + j] = h * A[i, j], h * B[i, j]
        for c in range(e.count):
            e.rates[g + i, 2 * g + c] = h * e.zdd_s[i, c]


@kernel
def _short_noise(e, psd, g, n, h):
    """Write the series of e.noise over a short step of h [s], for scaled states.

    It is the integral of exp(J t) W exp(J t)^T, whose derivatives at 0 are W, J W + W J^T, and so
    on; W = psd [rad^2/s^3] acts on the velocities, e.walk on the parameters.
    """
    term, product = e.term, e.product
    for i in range(n):
        for j in range(n):
            e.noise[i, j] = term[i, j] = 0.0
        if i >= g:
            density = psd[i - g] if i < 2 * g else e.walk[i - 2 * g]
            e.noise[i, i] = term[i, i] = h * density / (e.scale[i] * e.scale[i])
    order, left = 0, 1.0
    while order < _LEAST or left > _ACCURACY:
        order += 1
        left *= 2.0 * SHORT / (order + 1.0)
        multiply_sparse(e.rates, term, n, product)
        for i in range(n):
            for j in range(n):
                term[i, j] = (product[i, j] + product[j, i]) / (order + 1.0)
                e.noise[i, j] += term[i, j]


@kernel
def _double_noise(e, n):
    """Turn e.noise of a step into the noise of two: noise + F noise F^T, F = e.transition."""
    add_congruence(e.transition, e.noise, n, n, e.product, e.noise)


@separate(FILTER, EXPONENTIAL, WORK['A'], WORK['B'], int64, float64)
def exponential_step(f, e, A, B, g, h):
    """Write f.transition = exp(J h), J = [0, I; A, B], and e.noise, the plant noise over h [s].

    White noise of the accelerations of the density f.acceleration_psd: the integral of
    exp(J t) [0, 0; 0, psd] exp(J t)^T, as by Van Loan's method, but doubled from a short step, so
    that nothing grows.  Pyrhonen et al. 2023a, Eqs. (23), (47), whole.  Parameters, which walk
    randomly, are states of J too, by e.zdd_s; other states, biases, stay.
    Returns False if a result is not finite.
    """
    n = 2 * g + e.count
    _write_rates(e, A, B, g, n, h)
    doublings = shorten(e.rates[:], n, e.scale[:])
    if doublings < 0:
        return False
    short_exponential(e.rates[:], n, e.transition[:], e.product[:])
    _short_noise(e, f.acceleration_psd, g, n, h / 2.0 ** doublings)
    for _ in range(doublings):
        _double_noise(e, n)
        square(e.transition, n, e.product)
    F, total = f.transition, 0.0
    for i in range(f.states):
        for j in range(f.states):
            F[i, j] = 1.0 if i == j else 0.0
    for i in range(n):
        row = state_of(e, g, i)
        for j in range(n):
            F[row, state_of(e, g, j)] = e.transition[i, j] * e.scale[i] / e.scale[j]
            e.noise[i, j] *= e.scale[i] * e.scale[j]
            total += e.transition[i, j] * e.scale[i] / e.scale[j] + e.noise[i, j]
    return isfinite(total)
