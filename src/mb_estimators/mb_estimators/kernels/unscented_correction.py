"""Correction by sigma points: what the sensors would read at every one of them."""

from math import isnan, sqrt

from mb_estimators.kernels.array_correction import lower_triangularise
from mb_estimators.kernels.correction import (
    CORRECTED,
    IMPOSSIBLE,
    NOT_POSITIVE,
    SINGULAR,
    move_model,
    return_to_prediction,
)
from mb_estimators.kernels.covariance import adopt
from mb_estimators.kernels.gain import solve_gain
from mb_estimators.kernels.gate import is_credible
from mb_estimators.kernels.observation import write_variances
from mb_estimators.kernels.sensor_states import correct_biases, turn_readings
from mb_estimators.kernels.sigma_points import (
    draw,
    halve,
    reach,
    return_to_centre,
    subtract_mean,
)
from mb_estimators.kernels.unscented_prediction import ATTEMPTS, adopt_factor
from mb_model.jit import entry, kernel
from mb_model.kernel_api import forward_dynamics, solve_velocity
from mb_sensors.kernel_api import difference, measure, what_is_read


@entry
def correct_unscented(models, works, channels, filters, sigmas, readings):
    """Correct the model and f.P by readings (NaN where there is none).

    With points drawn anew, or the step before's if they are to be reused: these know nothing
    of the plant noise of the step.
    Source: Rodriguez et al. 2023, Sec. 4, Eqs. (40)-(44).
    Returns CORRECTED or why not; then the state and f.P are as they were.
    """
    model, work, f, sigma = models[0], works[0], filters[0], sigmas[0]
    f.count, f.rejected_count, f.nis = 0, 0, 0.0
    if count_there(readings) == 0:
        return CORRECTED
    if sigma.stepped == 1:
        _take_over(model, work, f, sigma)
    elif not draw(model, work, f, sigma):
        return NOT_POSITIVE
    reached = _measure_points(model, work, channels, f, sigma, readings)
    if not return_to_centre(model, work, sigma) or not reached:
        return SINGULAR
    subtract_mean(sigma, f.states)
    write_variances(model, work, channels, f)
    assess_points(channels, f, sigma, readings)
    if f.count == 0:
        return CORRECTED
    if not solve_gain(f):
        return NOT_POSITIVE
    if not move_model(model, work, f):
        return IMPOSSIBLE
    if sigma.square_root == 1:
        _correct_factor(f, sigma)
    elif not correct_by_points(f):
        return_to_prediction(model, work, f)
        return NOT_POSITIVE
    correct_biases(f)
    return CORRECTED


@kernel
def count_there(readings):
    """Return how many readings there are."""
    count = 0
    for c in range(readings.size):
        if not isnan(readings[c]):
            count += 1
    return count


@kernel
def _take_over(model, work, f, sigma):
    """Make the points that a step has left, deviations from their mean, points around the state."""
    for row in range(model.n):
        sigma.q[row] = work.q[row]
    for i in range(f.states):
        sigma.x[i] = sigma.mean[i]
        for point in range(sigma.count):
            sigma.points[point, i] += sigma.mean[i]
    sigma.stepped = 0


@kernel
def _take(model, work, channels, f, sigma, readings, point):
    """Put the model at a point, as far as the readings depend on it; return if it gets there."""
    for _ in range(ATTEMPTS):
        if reach(model, work, sigma.q, sigma.points[point]) and move_as_read(
                model, work, channels, readings):
            return True
        halve(sigma, point, f.states)
    return False


@kernel
def move_as_read(model, work, channels, readings):
    """Solve for the velocities, and the accelerations, that the readings depend on, if any."""
    velocities, accelerations = what_is_read(channels, readings)
    if accelerations:
        return forward_dynamics(model, work)
    return not velocities or solve_velocity(model, work)


@kernel
def _measure_points(model, work, channels, f, sigma, readings):
    """Write sigma.h and outputs, the deviations from it: Eqs. (41), (42).

    Angles are averaged around what the centre would read, where the model is already unless the
    points are from the step before.  Returns False if there is a point that the mechanism
    cannot reach, nor any between it and the centre.
    """
    for point in range(sigma.count):
        if (point > 0 or sigma.reuse == 1) and not _take(
                model, work, channels, f, sigma, readings, point):
            return False
        measure_point(work, channels, f, sigma, point)
    average_outputs(channels, sigma)
    return True


@kernel
def measure_point(work, channels, f, sigma, point):
    """Write what the sensors would read at a point where the model is, less what at the centre."""
    measure(channels, work.q[:], work.qd[:], work.qdd[:], f.h[:])
    turn_readings(channels, f, sigma.points[point, f.motion:])
    for c in range(channels.size):
        if f.bias_of[c] >= 0:
            f.h[c] += sigma.points[point, f.motion + f.bias_of[c]]
        if point == 0:
            sigma.h[c] = f.h[c]
        sigma.outputs[point, c] = difference(channels[c], f.h[c], sigma.h[c])


@kernel
def average_outputs(channels, sigma):
    """Make sigma.h the mean of the outputs of all points, and the outputs deviations from it."""
    for c in range(channels.size):
        mean = 0.0
        for point in range(sigma.count):
            mean += sigma.mean_weight[point] * sigma.outputs[point, c]
        sigma.h[c] += mean
        for point in range(sigma.count):
            sigma.outputs[point, c] -= mean


@kernel
def assess_points(channels, f, sigma, readings):
    """Write residual and residual_covariance of the credible readings, and P_xy in f.gain."""
    kept, rejected = 0, 0
    for c in range(channels.size):
        if isnan(readings[c]):
            continue
        variance = f.variance[c]
        for point in range(sigma.count):
            variance += sigma.covariance_weight[point] * sigma.outputs[point, c] ** 2
        residual = difference(channels[c], readings[c], sigma.h[c])
        if is_credible(f, residual, variance):
            f.present[kept], f.residual[kept] = c, residual
            kept += 1
        else:
            f.rejected[rejected] = c
            rejected += 1
    f.count, f.rejected_count = kept, rejected
    for a in range(kept):
        channel = f.present[a]
        for b in range(a + 1):
            total = f.variance[channel] if a == b else 0.0
            for point in range(sigma.count):
                total += (sigma.covariance_weight[point] * sigma.outputs[point, channel]
                          * sigma.outputs[point, f.present[b]])
            f.residual_covariance[a, b] = total
            f.residual_covariance[b, a] = total
        for i in range(f.states):
            total = 0.0
            for point in range(sigma.count):
                total += (sigma.covariance_weight[point] * sigma.points[point, i]
                          * sigma.outputs[point, channel])
            f.gain[i, a] = total


@kernel
def correct_by_points(f):
    """P = P - K P_yy K^T: Eq. (44).  Returns False if that is not positive definite."""
    for i in range(f.states):
        for j in range(i + 1):
            total = f.P[i, j]
            for a in range(f.count):
                for b in range(f.count):
                    total -= f.gain[i, a] * f.residual_covariance[a, b] * f.gain[j, b]
            f.corrected[i, j] = total
            f.corrected[j, i] = total
    return adopt(f, f.corrected)


@kernel
def _correct_factor(f, sigma):
    """Triangularise [Y, root of R; X, 0] to [S_y, 0; K S_y, S]: S is the corrected factor.

    X, Y: weighted deviations of states and outputs.  Nothing is subtracted, so that P stays
    positive definite.  Source: Kailath, Sayed and Hassibi 2000, Sec. 12.3 (array algorithm).
    """
    array, count, k = sigma.array, sigma.count, f.count
    for a in range(k):
        for point in range(count):
            array[a, point] = (sqrt(sigma.covariance_weight[point])
                               * sigma.outputs[point, f.present[a]])
        for b in range(k):
            array[a, count + b] = sqrt(f.variance[f.present[a]]) if a == b else 0.0
    for i in range(f.states):
        for point in range(count):
            array[k + i, point] = sqrt(sigma.covariance_weight[point]) * sigma.points[point, i]
        for b in range(k):
            array[k + i, count + b] = 0.0
    lower_triangularise(array[:], k + f.states, count + k)
    adopt_factor(f, sigma, k)
