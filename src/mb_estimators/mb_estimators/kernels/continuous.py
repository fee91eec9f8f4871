"""The continuous EKF: a step without feedback, and the same step integrated anew with it."""

from math import isfinite

from mb_estimators.kernels.correction import (
    CORRECTED,
    IMPOSSIBLE,
    NOT_POSITIVE,
    assess,
    keep_prediction,
    keep_readings,
    return_to_prediction,
)
from mb_estimators.kernels.covariance import (
    add_acceleration_noise,
    copy_square,
    correct_covariance,
    cross_covariance,
    keep_positive,
    propagate,
)
from mb_estimators.kernels.feedback import (
    begin_feedback,
    factor_with_feedback,
    solve_with_feedback,
)
from mb_estimators.kernels.observation import observe
from mb_estimators.kernels.published_jacobians import differentiate_matrix_r
from mb_estimators.kernels.sigma_points import put_at
from mb_estimators.kernels.transition import linear_transition, model_transition
from mb_model.jit import entry, kernel
from mb_model.kernel_api import (
    forward_dynamics,
    has_converged,
    linearise,
    solve_multipliers,
    solve_velocity,
    trapezoidal_step,
)

_step = trapezoidal_step
_TOLERANCE = 1e-12        # of the last increment of z and zd, relative
_ROUNDING = 1e-9          # an increment this small that shrinks no more is rounding
_ITERATIONS = 30


@entry
def predict_continuous(models, works, filters, approximate, h):
    """Step z, zd by the trapezoidal rule over h [s]; propagate P by the exact f_x.

    approximate: by the published derivatives of accelerations, Eq. (23).
    Source: Rodriguez et al. 2023, Eqs. (16), (22), (24), without measurements.
    Returns False if the model cannot.
    """
    model, work, f = models[0], works[0], filters[0]
    if not forward_dynamics(model, work):
        return False
    if approximate:
        differentiate_matrix_r(model, work, f.tangent, True)
        linear_transition(model, work, f, h)
    else:
        model_transition(model, work, f, h)
    f.step = h
    for k in range(model.g):
        f.begin_z[k], f.begin_zd[k], f.begin_zdd[k] = work.z[k], work.zd[k], work.zdd[k]
    if not _step(model, work, h):
        return False
    propagate(f)
    add_acceleration_noise(f.P, f.acceleration_psd, model.g, h)
    return keep_positive(f)


@entry
def correct_continuous(models, works, channels, filters, steps, approximate, readings):
    """Integrate the last step again with the feedback of the readings; correct f.P.

        z  = z0  + h/2 (zd0 + zd)        + K1 (o - h(x))
        zd = zd0 + h/2 (zdd0 + zdd(x))   + K2 (o - h(x)),      K = P H^T R^-1

    K is the gain of Eq. (14) times h for measurements of the power spectral density R h.
    Source: Rodriguez et al. 2023, Eqs. (24)-(26), with the exact tangent, or the approximate one.
    Returns CORRECTED or why not; then the state and f.P are as they were.
    """
    model, work, f, c = models[0], works[0], filters[0], steps[0]
    status = assess(model, work, channels, f, readings)
    if status != CORRECTED or f.count == 0:
        return status
    keep_prediction(model, work, f)
    keep_readings(channels, f, readings)
    _prepare(model, work, f, c)
    if not correct_covariance(f):
        return NOT_POSITIVE
    if not _iterate(model, work, channels, f, c, approximate):
        copy_square(f.P0, f.P, f.states)
        for b in range(f.biases):
            f.bias[b] = f.begin_bias[b]
        return_to_prediction(model, work, f)
        return IMPOSSIBLE
    f.step = 0.0              # what comes next, if not a step, begins here
    for a in range(f.count):
        f.residual[a] = f.innovation[a]
    solve_multipliers(model, work)
    return CORRECTED


@kernel
def _prepare(model, work, f, c):
    """Write f.feedback = P H^T; keep P, and begin here if there was no step."""
    if f.step == 0.0:
        for k in range(model.g):
            f.begin_z[k], f.begin_zd[k] = work.z[k], work.zd[k]
    cross_covariance(f)
    for a in range(f.count):
        c.noise[a] = f.variance[f.present[a]]
        for i in range(f.states):
            f.feedback[i, a] = f.crossed[a, i]
    begin_feedback(c, f.H, f.feedback, f.count, f.states)
    copy_square(f.P, f.P0, f.states)


@kernel
def _iterate(model, work, channels, f, c, approximate):
    """Newton's iteration from the prediction; returns whether it converged to a position."""
    g, x, last = model.g, f.x, 1e300
    for k in range(g):
        x[k], x[g + k] = work.z[k], work.zd[k]
    for b in range(f.biases):
        x[f.motion + b] = f.bias[b]
    for _ in range(_ITERATIONS):
        if approximate:
            differentiate_matrix_r(model, work, f.tangent, False)
        else:
            linearise(model, work)
        if not solve_velocity(model, work) or not observe(model, work, channels, f, f.readings[:]):
            return False
        _write_residual(work, f, g)
        _write_tangent(f, work.A, work.B, g)
        if not factor_with_feedback(
                c, f.tangent, f.pivots, f.H, f.feedback, f.count, f.states):
            return False
        solve_with_feedback(c, f.tangent, f.pivots, f.H, f.residual, f.count, f.states,
                            f.residual_x)
        change = 0.0      # a sum, because a maximum loses what is not a number
        for i in range(f.states):
            x[i] += f.residual_x[i]
            change += abs(f.residual_x[i]) / (1.0 + abs(x[i]))
        if not isfinite(change) or not put_at(model, work, f.q0, x[:]):
            return False
        for b in range(f.biases):
            f.bias[b] = x[f.motion + b]
        if has_converged(change, last, _TOLERANCE, _ROUNDING, 0.5):
            return True
        last = change
    return False


@kernel
def _write_residual(work, f, g):
    """Write what is missing in the step without feedback, at work.z, zd, zdd and the biases."""
    half = 0.5 * f.step
    for k in range(g):
        f.residual_x[k] = f.begin_z[k] + half * (f.begin_zd[k] + work.zd[k]) - work.z[k]
        f.residual_x[g + k] = (f.begin_zd[k] + half * (f.begin_zdd[k] + work.zdd[k])
                               - work.zd[k])
    for b in range(f.biases):
        f.residual_x[f.motion + b] = f.begin_bias[b] - f.bias[b]


@kernel
def _write_tangent(f, A, B, g):
    """Write [I, -h/2 I; -h/2 A, I - h/2 B]: Eq. (26) without its feedback."""
    T, half = f.tangent, 0.5 * f.step
    for i in range(f.states):
        for j in range(f.states):
            T[i, j] = 1.0 if i == j else 0.0
    for i in range(g):
        T[i, g + i] -= half
        for j in range(g):
            T[g + i, j] -= half * A[i, j]
            T[g + i, g + j] -= half * B[i, j]
