"""Correction of motion by sigma points: the unscented counterpart of motion_correction."""


from mb_estimators.kernels.correction import (
    CORRECTED,
    IMPOSSIBLE,
    NOT_POSITIVE,
    SINGULAR,
    begin_states,
)
from mb_estimators.kernels.gain import solve_gain
from mb_estimators.kernels.motion_observation import list_present, settle_position
from mb_estimators.kernels.sensor_states import correct_biases
from mb_estimators.kernels.sigma_points import halve, spread, subtract_mean
from mb_estimators.kernels.unscented_correction import (
    assess_points,
    average_outputs,
    correct_by_points,
    measure_point,
)
from mb_estimators.kernels.unscented_prediction import ATTEMPTS
from mb_model.jit import entry, kernel
from mb_model.kernel_api import cholesky_factor, reach_position, solve_acceleration, solve_velocity
from mb_sensors.kernel_api import what_is_read


@entry
def correct_motion_by_points(models, works, channels, filters, sigmas, readings):
    """Correct f.x and f.P by readings (NaN where there is none), by sigma points of all states.

    Source: Rodriguez et al. 2023, Eqs. (34)-(44), of the states of Mohammad et al. 2025, Alg. 1.
    Returns CORRECTED or why not; then f.x, f.P and the mechanism are as they were.
    """
    model, work, f, sigma = models[0], works[0], filters[0], sigmas[0]
    f.nis = 0.0
    list_present(f, readings)
    if f.count == 0:
        f.rejected_count = 0
        return CORRECTED
    if not settle_position(model, work, f):
        return SINGULAR
    if not _draw(model, work, f, sigma):
        return NOT_POSITIVE
    measured = _measure_points(model, work, channels, f, sigma, readings)
    _return_to_centre(model, work, sigma)
    if not measured or not solve_velocity(model, work):
        return SINGULAR
    subtract_mean(sigma, f.states)
    for channel in range(channels.size):
        f.variance[channel] = f.sensor_variance[channel]
    assess_points(channels, f, sigma, readings)
    if f.count == 0:
        return CORRECTED
    if not solve_gain(f):
        return NOT_POSITIVE
    begin_states(f)
    status = CORRECTED
    if not settle_position(model, work, f):
        status = IMPOSSIBLE
    elif not correct_by_points(f):
        status = NOT_POSITIVE
    if status == CORRECTED:
        correct_biases(f)
        return CORRECTED
    for i in range(f.motion):
        f.x[i] = f.x0[i]
    _return_to_centre(model, work, sigma)
    solve_velocity(model, work)
    return status


@kernel
def _draw(model, work, f, sigma):
    """Write points around f.x and biases, kept in sigma.x; return whether f.P is positive."""
    for row in range(model.n):
        sigma.q[row] = work.q[row]
    for i in range(f.motion):
        sigma.x[i] = f.x[i]
    for b in range(f.biases):
        sigma.x[f.motion + b] = f.bias[b]
    for i in range(f.states):
        for j in range(i + 1):
            sigma.factor[i, j] = f.P[i, j]
    if not cholesky_factor(sigma.factor, f.states):
        return False
    spread(sigma, sigma.x, f.states)
    return True


@kernel
def _return_to_centre(model, work, sigma):
    """Put positions and rates to where the points were drawn, which is a solved position."""
    g = model.g
    for row in range(model.n):
        work.q[row] = sigma.q[row]
    for k in range(g):
        work.z[k], work.zd[k], work.zdd[k] = sigma.x[k], sigma.x[g + k], sigma.x[2 * g + k]


@kernel
def _measure_points(model, work, channels, f, sigma, readings):
    """Write sigma.h and outputs; return False if a point, and all before it, cannot be reached."""
    for point in range(sigma.count):
        reached = False
        for _ in range(ATTEMPTS):
            reached = _go_to(model, work, channels, sigma, readings, point)
            if reached:
                break
            halve(sigma, point, f.states)
        if not reached:
            return False
        measure_point(work, channels, f, sigma, point)
    average_outputs(channels, sigma)
    return True


@kernel
def _go_to(model, work, channels, sigma, readings, point):
    """Put the mechanism at a point, as far as the readings depend on it; return if it closes."""
    g, x = model.g, sigma.points[point]
    for row in range(model.n):
        work.q[row] = sigma.q[row]
    for k in range(g):
        work.z[k], work.zd[k], work.zdd[k] = x[k], x[g + k], x[2 * g + k]
    if not reach_position(model, work):
        return False
    velocities, accelerations = what_is_read(channels, readings)
    if accelerations:
        return solve_acceleration(model, work)
    return not velocities or solve_velocity(model, work)
