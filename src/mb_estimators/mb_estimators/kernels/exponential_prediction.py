"""Prediction by the matrix exponential: of the motion in sub-steps, of the covariance with them."""

from math import isfinite

from numba import float64, int64

from mb_estimators.kernels.covariance import keep_positive, propagate
from mb_estimators.kernels.parameters import accelerations_by_parameters
from mb_estimators.kernels.prediction import advance_independent
from mb_estimators.kernels.transition import (
    accumulate_transition,
    end_sub_steps,
    series_transition,
    what_is_left,
)
from mb_estimators.records.filter import FILTER
from mb_estimators.records.parameter import P
from mb_model.jit import INTEGER, REAL, RecordType, entry, kernel, separate
from mb_model.kernel_api import (
    MATRIX_R,
    SHORT_NORM as SHORT,
    add_congruence,
    forward_dynamics,
    linearise,
    multiply_sparse,
    rosenbrock_substep as substep,
    short_exponential,
    shorten_matrix as shorten,
    square_matrix as square,
)
from mb_model.record import WORK, G

_S = 2 * G + P            # states z, zd, parameters

EXPONENTIAL = RecordType(
    'mb_estimators.kernels.exponential_prediction.EXPONENTIAL', parameters=[     # of AUGMENTED
    ('count', INTEGER), ('first', INTEGER),            # their number, their first state
    ('walk', REAL, (P,)),                              # growth of their variances per time
    ('zdd_s', REAL, (G, P)),                           # derivatives of the accelerations
], step=[
    ('rates', REAL, (_S, _S)),                         # J h, balanced and shortened
    ('transition', REAL, (_S, _S)),
    ('noise', REAL, (_S, _S)),                         # of the plant
    ('scale', REAL, (_S,)),                            # of the states in these
    ('term', REAL, (_S, _S)), ('product', REAL, (_S, _S)),
])


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


@entry
def predict_exponential(models, works, filters, exponentials, parameters, estimated, h):
    """Step z, zd over h [s] in sub-steps by their local error; propagate P in each by exp(J t).

    Pyrhonen et al. 2023a, Eqs. (22)-(27), (47), (54), with the exponential whole, and with the term
    of mb_model.integration.exponential_rosenbrock for what is not linear.  Parameters change the
    accelerations as at the start of each sub-step.
    Leaves the transition of the whole step in f.transition.  Returns False if the model cannot.
    """
    model, work, f, e = models[0], works[0], filters[0], exponentials[0]
    if not forward_dynamics(model, work):
        return False
    t, left, proposed = work.t, h, h
    while left > 0.0:
        accelerations_by_parameters(model, work, parameters, estimated[0], e.zdd_s)
        done, proposed = substep(model, work, left, proposed, h, MATRIX_R)
        if done == 0.0 or not exponential_step(f, e, work.A, work.B, model.g, done):
            return False
        propagate(f)
        _add_noise(f, e, model.g)
        accumulate_transition(f, left == h)
        left = what_is_left(left, done)
    end_sub_steps(model, work, t + h)
    return keep_positive(f)


@kernel
def _add_noise(f, e, g):
    """Add e.noise to P."""
    n = 2 * g + e.count
    for i in range(n):
        row = state_of(e, g, i)
        for j in range(n):
            f.P[row, state_of(e, g, j)] += e.noise[i, j]


@entry
def predict_series(models, works, filters, exponentials, parameters, estimated, h, order):
    """Step z, zd by x + h Psi f(x), f = (zd, zdd); propagate P by the same transition.

    Parameters, which stay, change zdd: their columns of the transition are h Psi (0, zdd_s).

    Source: Pyrhonen et al. 2023a, Eqs. (24), (27), (54).  Returns False if the model cannot.
    """
    model, work, f, e = models[0], works[0], filters[0], exponentials[0]
    if not forward_dynamics(model, work):
        return False
    accelerations_by_parameters(model, work, parameters, estimated[0], e.zdd_s)
    linearise(model, work)
    g, psi = model.g, f.left
    series_transition(f, work.A, work.B, g, h, order, psi)
    for i in range(2 * g):
        f.dx[i] = 0.0
        for k in range(g):
            f.dx[i] += h * (psi[i, k] * work.zd[k] + psi[i, g + k] * work.zdd[k])
        for c in range(e.count):
            by_s = 0.0
            for k in range(g):
                by_s += h * psi[i, g + k] * e.zdd_s[k, c]
            f.transition[i, e.first + c] = by_s
    if not advance_independent(model, work, f.dx):
        return False
    propagate(f)
    _add_series_noise(f.P, f.acceleration_psd, work, g, h)
    _add_walk(f.P, e, g, h)
    return keep_positive(f)


@entry
def _add_series_noise(P, psd, work, g, h):
    """Add white noise of the accelerations over h [s], which B passes on within the step.

    Integral of [t I; I + t B] q_c [t I; I + t B]^T: Pyrhonen et al. 2023a, Eqs. (47)-(52), with
    B in place of its transpose where they leave that out.
    """
    B, square, cube = work.B, h * h / 2.0, h * h * h / 3.0
    for i in range(g):
        P[i, i] += psd[i] * cube
        for j in range(g):
            mixed = psd[i] * B[j, i] * cube + (psd[i] * square if i == j else 0.0)
            P[i, g + j] += mixed
            P[g + j, i] += mixed
        for j in range(i + 1):
            total = psd[i] * h if i == j else 0.0
            total += (psd[i] * B[j, i] + B[i, j] * psd[j]) * square
            for a in range(g):
                total += B[i, a] * psd[a] * B[j, a] * cube
            P[g + i, g + j] += total
            P[g + j, g + i] = P[g + i, g + j]


@entry
def _add_walk(P, e, g, h):
    """Add the random walk of the parameters over h [s], with what it does to the motion within.

    Integral of [t^2/2 zdd_s; t zdd_s; I] walk [t^2/2 zdd_s; t zdd_s; I]^T: A and B left out.
    """
    for c in range(e.count):
        column, walk = e.first + c, e.walk[c]
        for i in range(g):
            by_s = walk * e.zdd_s[i, c]
            for j in range(g):
                both = by_s * e.zdd_s[j, c]
                P[i, j] += both * h ** 5 / 20.0
                P[i, g + j] += both * h ** 4 / 8.0
                P[g + j, i] += both * h ** 4 / 8.0
                P[g + i, g + j] += both * h ** 3 / 3.0
            P[i, column] += by_s * h ** 3 / 6.0
            P[g + i, column] += by_s * h * h / 2.0
            P[column, i], P[column, g + i] = P[i, column], P[g + i, column]
        P[column, column] += walk * h
