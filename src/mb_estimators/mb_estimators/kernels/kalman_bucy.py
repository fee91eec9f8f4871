"""The continuous EKF on the matrix-R formulation, as published: Kalman and Bucy's equations."""


from mb_estimators.kernels.correction import (
    CORRECTED,
    IMPOSSIBLE,
    NOT_POSITIVE,
    assess,
    keep_prediction,
    keep_readings,
    return_to_prediction,
)
from mb_estimators.kernels.covariance import copy_square
from mb_estimators.kernels.kalman_bucy_step import (
    ITERATIONS,
    TOLERANCE,
    accept_step,
    add_pull,
    begin_step,
    forget_readings,
    forget_step,
    improve,
    inform,
    move_covariance,
    write_gain,
    write_missing,
    write_pull,
)
from mb_estimators.kernels.observation import observe
from mb_estimators.kernels.published_jacobians import differentiate_matrix_r
from mb_estimators.kernels.sigma_points import put_at
from mb_model.jit import entry, kernel
from mb_model.kernel_api import forward_dynamics, set_time, solve_multipliers


@entry
def start_kalman_bucy(models, works, filters, steps):
    """Begin at work.z, zd with the covariance f.P, before any reading."""
    model, work, f, c = models[0], works[0], filters[0], steps[0]
    g, size = model.g, f.states
    c.step = 0.0
    copy_square(f.P, c.P, size)
    for i in range(size):
        c.density[i] = 0.0
        for j in range(size):
            c.f[i, j] = 0.0
    for k in range(g):
        c.x[k], c.x[g + k] = work.z[k], work.zd[k]
        c.density[g + k] = f.acceleration_psd[k]
    for b in range(f.biases):
        c.x[f.motion + b] = f.bias[b]
        c.density[f.motion + b] = f.bias_walk[b]
    forget_readings(c, size)
    _write_rate(model, work, f, c)
    differentiate_matrix_r(model, work, c.f, True)


@entry
def predict_kalman_bucy(models, works, channels, filters, steps, h):
    """Integrate z, zd and P over h [s], without readings at its end.

    Source: Rodriguez et al. 2023, Eqs. (16), (21), (23).  Returns False if the model cannot.
    """
    model, work, f, c = models[0], works[0], filters[0], steps[0]
    if not forward_dynamics(model, work):
        return False
    _write_rate(model, work, f, c)
    begin_step(c, f.states, h)
    set_time(model, work, work.t + h)
    for k in range(model.g):
        c.x[k] += h * work.zd[k]
        c.x[model.g + k] += h * work.zdd[k]
    if not _iterate(model, work, channels, f, c, False) or not move_covariance(c, f.states):
        return False
    copy_square(c.P, f.P, f.states)
    return True


@entry
def correct_kalman_bucy(models, works, channels, filters, steps, readings):
    """Integrate the last step again, with readings (NaN where there is none) at its end.

    The variances of their noise are taken for its power spectral density, as the paper does.
    Without a step before, as at the start, readings act on the next one only.
    Source: Rodriguez et al. 2023, Eqs. (14), (16), (24)-(26).
    Returns CORRECTED or why not; then the state is as it was.
    """
    model, work, f, c = models[0], works[0], filters[0], steps[0]
    status = assess(model, work, channels, f, readings)
    if status != CORRECTED or f.count == 0:
        return status
    keep_prediction(model, work, f)
    keep_readings(channels, f, readings)
    copy_square(c.P, c.predicted_P, f.states)
    inform(c, f)
    if c.step == 0.0:
        write_gain(c, f)
        add_pull(c, f, f.innovation)
        return CORRECTED
    status = NOT_POSITIVE
    if move_covariance(c, f.states):
        write_gain(c, f)
        status = CORRECTED if _iterate(model, work, channels, f, c, True) else IMPOSSIBLE
    if status == CORRECTED:
        accept_step(c, f)
        copy_square(c.P, f.P, f.states)
    else:
        _go_back(model, work, f, c)
    for a in range(f.count):
        f.residual[a] = f.innovation[a]
    solve_multipliers(model, work)
    return status


@kernel
def _go_back(model, work, f, c):
    """Go back to the prediction."""
    return_to_prediction(model, work, f)
    for k in range(model.g):
        c.x[k], c.x[model.g + k] = f.z0[k], f.zd0[k]
    for b in range(f.biases):
        f.bias[b] = c.x[f.motion + b] = f.begin_bias[b]
    forget_step(c, f.states)
    _write_rate(model, work, f, c)
    differentiate_matrix_r(model, work, c.f, True)


@kernel
def _write_rate(model, work, f, c):
    """Write c.rate = F(x) = [zd; zdd; 0] after forward_dynamics."""
    for k in range(model.g):
        c.rate[k], c.rate[model.g + k] = work.zd[k], work.zdd[k]
    for b in range(f.motion, f.states):
        c.rate[b] = 0.0


@kernel
def _iterate(model, work, channels, f, c, fed):
    """Solve the step from c.x, with the feedback of f.readings if fed; see kalman_bucy_step.

    Returns whether it converged to a position; then c.rate and c.f are those there.
    """
    for i in range(model.n):
        f.q0[i] = work.q[i]
    for _ in range(ITERATIONS):
        if not put_at(model, work, f.q0, c.x[:]):
            return False
        for b in range(f.biases):
            f.bias[b] = c.x[f.motion + b]
        _write_rate(model, work, f, c)
        if fed:
            if not observe(model, work, channels, f, f.readings[:]):
                return False
            write_pull(c, f, f.residual)
        if write_missing(c, f.states) <= TOLERANCE:
            differentiate_matrix_r(model, work, c.f, True)
            return True
        differentiate_matrix_r(model, work, c.f, c.plain == 0)
        if not improve(c, f, fed):
            return False
    return False
