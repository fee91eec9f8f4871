"""Prediction and correction by polynomial chaos of z, zd, biases of sensors and parameters.

They are linear in standard normal numbers xi, as the factor of their covariance spreads them.  What
a step makes of them, and what sensors read, is projected on Hermite polynomials of xi: the model
goes to points, which integrate what the projection asks for.  The polynomials are orthonormal, so

    x(xi) = sum_k x_k psi_k(xi),   E[x] = x_0,   Cov[x, y] = sum_(k > 0) x_k y_k^T

Each step begins anew with such numbers.  Source: Rodriguez et al. 2023, Sec. 9 [5].
"""

from mb_estimators.kernels.augmented_steps import (
    change_forces,
    correct_parameters,
    return_parameters,
)
from mb_estimators.kernels.correction import (
    CORRECTED,
    IMPOSSIBLE,
    NOT_POSITIVE,
    SINGULAR,
    move_model,
    return_to_prediction,
)
from mb_estimators.kernels.covariance import keep_positive
from mb_estimators.kernels.gain import solve_gain
from mb_estimators.kernels.observation import write_variances
from mb_estimators.kernels.parameters import change_model, motion_by_parameters
from mb_estimators.kernels.sensor_states import correct_biases
from mb_estimators.kernels.sigma_points import draw, halve, put_at, reach, return_to_centre
from mb_estimators.kernels.unscented_correction import (
    assess_points,
    correct_by_points,
    count_there,
    measure_point,
    move_as_read,
)
from mb_estimators.kernels.unscented_prediction import ATTEMPTS, covariance_after_step
from mb_model.jit import entry, kernel
from mb_model.kernel_api import set_time, trapezoidal_step

_step = trapezoidal_step


@kernel
def _draw_all(model, work, f, e, sigma):
    """Draw points around z, zd, biases and parameters; False: f.P is not positive definite."""
    for c in range(e.count):
        sigma.x[e.first + c] = e.s[c]
    return draw(model, work, f, sigma)


@kernel
def _take_parameters(model, work, parameters, e, sigma, point):
    """Give the model the parameters of a point, and the known forces that these make."""
    s = sigma.points[point, e.first:]
    change_forces(work, e, e.s, s)
    change_model(model, work, parameters, e, s)


@kernel
def _leave_parameters(model, work, parameters, e, sigma, point):
    """Return from the parameters of a point to the estimated ones."""
    change_forces(work, e, sigma.points[point, e.first:], e.s)
    change_model(model, work, parameters, e, e.s)


@kernel
def _step_points(model, work, f, parameters, e, sigma, t, h):
    """Step the model from all points; what it cannot reach comes nearer to the centre.

    Returns False if there is a point that cannot be stepped.
    """
    for point in range(sigma.count):
        stepped = False
        for _ in range(ATTEMPTS):
            set_time(model, work, t)
            _take_parameters(model, work, parameters, e, sigma, point)
            stepped = (put_at(model, work, sigma.q, sigma.points[point])
                       and _step(model, work, h))
            _leave_parameters(model, work, parameters, e, sigma, point)
            if stepped:
                break
            halve(sigma, point, f.states)
        if not stepped:
            return False
        for k in range(model.g):
            sigma.points[point, k], sigma.points[point, model.g + k] = work.z[k], work.zd[k]
        if point == 0:
            for row in range(model.n):
                sigma.next_q[row] = work.q[row]
    return True


@kernel
def _project(projection, values, size, coefficients, mean):
    """Write the coefficients (terms, size) of values (points, size); move the first to mean."""
    for term in range(projection.shape[0]):
        for i in range(size):
            total = 0.0
            for point in range(projection.shape[1]):
                total += projection[term, point] * values[point, i]
            coefficients[term, i] = total
    for i in range(size):
        mean[i] = coefficients[0, i]
        coefficients[0, i] = 0.0


@entry
def predict_chaos(models, works, filters, parameters, estimated, sigmas, terms, projection, h):
    """Move z, zd and f.P on by h [s]; parameters walk randomly.

    sigmas: SIGMA of the points; terms: SIGMA whose points are coefficients, of weight 1;
    projection (terms, points): of the values at points on polynomials.
    Returns False, the state unchanged, if the model or the covariance cannot go on.
    """
    model, work, f, e = models[0], works[0], filters[0], estimated[0]
    sigma, term, t = sigmas[0], terms[0], works[0].t
    if not _draw_all(model, work, f, e, sigma):
        return False
    stepped = _step_points(model, work, f, parameters, e, sigma, t, h)
    if stepped:
        _project(projection, sigma.points, f.states, term.points, term.mean)
        stepped = put_at(model, work, sigma.next_q, term.mean[:])
    if not stepped:
        set_time(model, work, t)
        return_to_centre(model, work, sigma)
        return False
    covariance_after_step(f, term, model.g, h)
    for c in range(e.count):
        f.P[e.first + c, e.first + c] += e.walk[c] * h
    return keep_positive(f)


@kernel
def _measure_points(model, work, channels, f, parameters, e, sigma, readings):
    """Write sigma.outputs, what sensors would read at the points less what at the centre, sigma.h.

    Returns False if there is a point that the mechanism cannot reach, nor any before it.
    """
    for point in range(sigma.count):
        reached = False
        for _ in range(ATTEMPTS):
            _take_parameters(model, work, parameters, e, sigma, point)
            reached = (reach(model, work, sigma.q, sigma.points[point])
                       and move_as_read(model, work, channels, readings))
            if reached:
                measure_point(work, channels, f, sigma, point)
            _leave_parameters(model, work, parameters, e, sigma, point)
            if reached:
                break
            halve(sigma, point, f.states)
        if not reached:
            return False
    return True


@entry
def correct_chaos(models, works, channels, filters, parameters, estimated, sigmas, terms,
                  projection, readings):
    """Correct the model, its parameters and f.P by readings (NaN where there is none).

    The gain is Cov[x, y] (Cov[y, y] + R)^-1 of the coefficients of states x and readings y; sigmas,
    terms, projection: as in predict_chaos.
    Returns CORRECTED or why not; then the state and f.P are as they were.
    """
    model, work, f, e = models[0], works[0], filters[0], estimated[0]
    sigma, term = sigmas[0], terms[0]
    f.count, f.rejected_count, f.nis = 0, 0, 0.0
    if count_there(readings) == 0:
        return CORRECTED
    if not _draw_all(model, work, f, e, sigma):
        return NOT_POSITIVE
    measured = _measure_points(model, work, channels, f, parameters, e, sigma, readings)
    if not return_to_centre(model, work, sigma) or not measured:
        return SINGULAR
    _project(projection, sigma.points, f.states, term.points, term.mean)
    _project(projection, sigma.outputs, channels.size, term.outputs, term.h)
    for c in range(channels.size):
        term.h[c] += sigma.h[c]
    write_variances(model, work, channels, f)
    assess_points(channels, f, term, readings)
    if f.count == 0:
        return CORRECTED
    if not solve_gain(f):
        return NOT_POSITIVE
    motion_by_parameters(model, work, parameters, e)
    status = IMPOSSIBLE
    if correct_parameters(model, work, f, parameters, e) and move_model(model, work, f):
        if correct_by_points(f):
            correct_biases(f)
            return CORRECTED
        return_to_prediction(model, work, f)
        status = NOT_POSITIVE
    return_parameters(model, work, parameters, e)
    return status
