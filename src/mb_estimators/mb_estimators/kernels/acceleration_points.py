"""Sigma points of the accelerations: a step builds positions and velocities of them.

    z  = z0 + h zd0 + h^2/4 (zdd0 + zdd),      zd = zd0 + h/2 (zdd0 + zdd)

The gain of such a filter is not the best one for z and zd, whose covariance f.P is therefore
propagated beside, by a correction that is right with any gain (Joseph).  Biases of sensors, which
no acceleration moves, have the gain that is best by that covariance; to the accelerations, what is
not known of them is noise of the sensors.
Source: Rodriguez et al. 2023, Sec. 4.3.
"""

from math import sqrt

from mb_estimators.kernels.array_correction import lower_triangularise
from mb_estimators.kernels.correction import (
    CORRECTED,
    IMPOSSIBLE,
    NOT_POSITIVE,
    assess,
    move_model,
    return_to_prediction,
)
from mb_estimators.kernels.covariance import (
    add_acceleration_noise,
    correct_covariance,
    keep_positive,
    propagate,
)
from mb_estimators.kernels.sensor_states import add_biases, correct_biases
from mb_estimators.kernels.sigma_points import put_at, return_to_centre, spread, subtract_mean
from mb_estimators.kernels.transition import model_transition
from mb_model.jit import entry, kernel
from mb_model.kernel_api import apply_acceleration, cholesky_factor, set_time, trapezoidal_step
from mb_sensors.kernel_api import difference, measure

_step = trapezoidal_step
_ATTEMPTS = 8


@entry
def predict_accelerations(models, works, filters, sigmas, explicit, h):
    """Step from every sigma point of zdd over h [s]; propagate f.P by the exact f_x.

    explicit: the accelerations at the end are those at predicted z and zd (a Runge-Kutta method of
    second order), else those at z and zd themselves (trapezoidal rule).
    Returns False, the state unchanged, if the model cannot.
    """
    model, work, f, sigma = models[0], works[0], filters[0], sigmas[0]
    g, t = model.g, work.t
    for row in range(model.n):
        sigma.q[row] = work.q[row]
    for k in range(g):
        sigma.x[k], sigma.x[g + k] = work.z[k], work.zd[k]
        sigma.begin_zdd[k] = sigma.zdd[k]
    sigma.step = h
    spread(sigma, sigma.zdd, g)
    reached = True
    for point in range(sigma.count):
        set_time(model, work, t)
        reached = reached and _propagate(model, work, f, sigma, point, explicit, h)
        if point == 0:
            for row in range(model.n):
                sigma.next_q[row] = work.q[row]
    if reached:
        subtract_mean(sigma, g)
        _build(f, sigma, sigma.mean[:], g)
        set_time(model, work, t)
        reached = put_at(model, work, sigma.q, sigma.x[:])
    if reached:
        model_transition(model, work, f, h)
        set_time(model, work, t + h)
        reached = put_at(model, work, sigma.next_q, f.dx[:])
    if not reached:
        sigma.step = 0.0
        set_time(model, work, t)
        return_to_centre(model, work, sigma)
        _show(model, work, sigma)
        return False
    for k in range(g):
        sigma.zdd[k] = sigma.mean[k]
    _show(model, work, sigma)
    propagate(f)
    add_acceleration_noise(f.P, f.acceleration_psd, g, h)
    _factor_covariance(sigma, g)
    return cholesky_factor(sigma.factor, g) and keep_positive(f)


@kernel
def _build(f, sigma, zdd, g):
    """Write f.dx = (z, zd) at the end of the step of the accelerations zdd there."""
    h = sigma.step
    for k in range(g):
        both = sigma.begin_zdd[k] + zdd[k]
        f.dx[k] = sigma.x[k] + h * sigma.x[g + k] + 0.25 * h * h * both
        f.dx[g + k] = sigma.x[g + k] + 0.5 * h * both


@kernel
def _propagate(model, work, f, sigma, point, explicit, h):
    """Replace a point by the accelerations a step later; return whether the model gets there."""
    g, t = model.g, work.t
    for _ in range(_ATTEMPTS):
        if put_at(model, work, sigma.q, sigma.x[:]):
            for k in range(g):
                work.zdd[k] = sigma.points[point, k]
            if explicit:
                for k in range(g):
                    f.dx[k] = work.z[k] + h * (work.zd[k] + 0.5 * h * work.zdd[k])
                    f.dx[g + k] = work.zd[k] + h * work.zdd[k]
                set_time(model, work, t + h)
                arrived = put_at(model, work, sigma.q, f.dx[:])
            else:
                apply_acceleration(model, work)
                arrived = _step(model, work, h)
            if arrived:
                for k in range(g):
                    sigma.points[point, k] = work.zdd[k]
                return True
        set_time(model, work, t)
        for k in range(g):
            sigma.points[point, k] = 0.5 * (sigma.points[point, k] + sigma.begin_zdd[k])
    return False


@kernel
def _factor_covariance(sigma, g):
    """Write the covariance of zdd after a step to sigma.factor: Eq. (39)."""
    for i in range(g):
        for j in range(i + 1):
            total = sigma.acceleration_variance[i] if i == j else 0.0
            for point in range(sigma.count):
                total += (sigma.covariance_weight[point] * sigma.points[point, i]
                          * sigma.points[point, j])
            sigma.factor[i, j] = total


@kernel
def _show(model, work, sigma):
    """Let the model have the accelerations of the filter."""
    for k in range(model.g):
        work.zdd[k] = sigma.zdd[k]
    apply_acceleration(model, work)


@entry
def correct_accelerations(models, works, channels, filters, sigmas, readings):
    """Correct zdd by readings (NaN where there is none), and z and zd as the step makes of it.

    Source: Rodriguez et al. 2023, Eqs. (40)-(44).
    Returns CORRECTED or why not; then the state and f.P are as they were.
    """
    model, work, f, sigma = models[0], works[0], filters[0], sigmas[0]
    g, h = model.g, sigma.step
    status = assess(model, work, channels, f, readings)
    _show(model, work, sigma)
    if status != CORRECTED or f.count == 0:
        return status
    if h == 0.0:                # no step yet that could be corrected
        return CORRECTED
    spread(sigma, sigma.zdd, g)
    if not _measure_points(model, work, channels, f, sigma, readings):
        return IMPOSSIBLE
    subtract_mean(sigma, g)
    _gain(f, sigma, g)
    for k in range(g):
        change = 0.0
        for a in range(f.count):
            change += sigma.cross[k, a] * f.weighted[a]
            f.gain[k, a] = 0.25 * h * h * sigma.cross[k, a]
            f.gain[g + k, a] = 0.5 * h * sigma.cross[k, a]
        f.dx[k], f.dx[g + k] = 0.25 * h * h * change, 0.5 * h * change
    if not move_model(model, work, f):
        _show(model, work, sigma)
        return IMPOSSIBLE
    if not correct_covariance(f):
        return_to_prediction(model, work, f)
        _show(model, work, sigma)
        return NOT_POSITIVE
    correct_biases(f)
    for k in range(g):
        sigma.zdd[k] = work.zdd[k]
    return CORRECTED


@kernel
def _measure_points(model, work, channels, f, sigma, readings):
    """Write f.weighted, the readings minus the mean of outputs, and sigma.outputs around it.

    The model ends where it was.  Returns False if it cannot be at a point.
    """
    g = model.g
    for row in range(model.n):
        sigma.next_q[row] = work.q[row]
    reached = True
    for point in range(sigma.count):
        _build(f, sigma, sigma.points[point], g)
        reached = reached and put_at(model, work, sigma.next_q, f.dx[:])
        for k in range(g):
            work.zdd[k] = sigma.points[point, k]
        apply_acceleration(model, work)
        measure(channels, work.q[:], work.qd[:], work.qdd[:], f.h[:])
        add_biases(channels, f)
        for a in range(f.count):
            c = f.present[a]
            if point == 0:
                sigma.h[a] = f.h[c]
            sigma.outputs[point, a] = difference(channels[c], f.h[c], sigma.h[a])
    _build(f, sigma, sigma.zdd[:], g)
    reached = put_at(model, work, sigma.next_q, f.dx[:]) and reached
    _show(model, work, sigma)
    for a in range(f.count):
        c = f.present[a]
        mean = 0.0
        for point in range(sigma.count):
            mean += sigma.mean_weight[point] * sigma.outputs[point, a]
        f.weighted[a] = difference(channels[c], readings[c], sigma.h[a] + mean)
        for point in range(sigma.count):
            sigma.outputs[point, a] -= mean
    return reached


@kernel
def _noise(f, channel):
    """Return the variance of a channel's noise and bias."""
    b = f.motion + f.bias_of[channel]
    return f.variance[channel] + (f.P[b, b] if f.bias_of[channel] >= 0 else 0.0)


@kernel
def _gain(f, sigma, g):
    """Write the gain to sigma.cross and the corrected factor of zdd's covariance to sigma.factor.

    Triangularises [Y, root of R; X, 0] to [L, 0; K L, S+], as kernels.array_correction.
    """
    array, points, k = sigma.array, sigma.count, f.count
    for point in range(points):
        root = sqrt(sigma.covariance_weight[point])
        for a in range(k):
            array[a, point] = root * sigma.outputs[point, a]
        for i in range(g):
            array[k + i, point] = root * sigma.points[point, i]
    for b in range(k):
        for a in range(k):
            array[a, points + b] = sqrt(_noise(f, f.present[a])) if a == b else 0.0
        for i in range(g):
            array[k + i, points + b] = 0.0
    lower_triangularise(array[:], k + g, points + k)
    for i in range(g):
        for a in range(k - 1, -1, -1):
            total = array[k + i, a]
            for b in range(a + 1, k):
                total -= sigma.cross[i, b] * array[b, a]
            sigma.cross[i, a] = total / array[a, a]
        for j in range(i + 1):
            sigma.factor[i, j] = array[k + i, k + j]
