"""Prediction by sigma points: the model steps from every one of them."""

from math import sqrt

from numba import int64

from mb_estimators.kernels.array_correction import lower_triangularise
from mb_estimators.kernels.covariance import add_acceleration_noise, keep_positive
from mb_estimators.kernels.sigma_points import (
    draw,
    halve,
    put_at,
    return_to_centre,
    subtract_mean,
)
from mb_estimators.records.filter import FILTER, SIGMA
from mb_model.jit import entry, kernel, separate
from mb_model.kernel_api import (
    MATRIX_R,
    explicit_step,
    set_time,
    square_of_factor,
    trapezoidal_step,
)

_step_implicit, _step_explicit = trapezoidal_step, explicit_step
ATTEMPTS = 8              # to bring a point to where the mechanism can be


@entry
def predict_unscented(models, works, filters, sigmas, tableau, h):
    """Move z, zd and their covariance on by h [s] with the matrix-R formulation.

    tableau: of an explicit integrator, see integration.explicit; empty for the trapezoidal rule.
    Source: Rodriguez et al. 2023, Sec. 4, Eqs. (34)-(39).
    Returns False, the state unchanged, if the model or the covariance cannot go on.
    """
    model, work, f, sigma = models[0], works[0], filters[0], sigmas[0]
    t = work.t
    if not draw(model, work, f, sigma):
        return False
    for point in range(sigma.count):
        set_time(model, work, t)
        if not _propagate(model, work, sigma, point, tableau, h):
            return_to_centre(model, work, sigma)
            return False
        if point == 0:
            for row in range(model.n):
                sigma.next_q[row] = work.q[row]
    subtract_mean(sigma, f.states)
    if not put_at(model, work, sigma.next_q, sigma.mean[:]):
        set_time(model, work, t)
        return_to_centre(model, work, sigma)
        return False
    sigma.stepped = sigma.reuse
    if sigma.square_root == 1:
        _factor_after_step(f, sigma, model.g, h)
        return True
    covariance_after_step(f, sigma, model.g, h)
    return keep_positive(f)


@kernel
def step_model(model, work, tableau, h):
    """Step z, zd by h [s]; return False, the state unchanged, if that fails."""
    if tableau.shape[0] == 0:
        return _step_implicit(model, work, h)
    return _step_explicit(model, work, h, MATRIX_R, tableau)


@kernel
def _propagate(model, work, sigma, point, tableau, h):
    """Step the model from a point, and put the result there; return whether that was possible."""
    for _ in range(ATTEMPTS):
        if (put_at(model, work, sigma.q, sigma.points[point])
                and step_model(model, work, tableau, h)):
            for k in range(model.g):
                sigma.points[point, k] = work.z[k]
                sigma.points[point, model.g + k] = work.zd[k]
            return True
        halve(sigma, point, 2 * model.g)
    return False


@kernel
def covariance_after_step(f, sigma, g, h):
    """P = sum of weighted products of deviations, plus plant noise: Eq. (39)."""
    for i in range(f.states):
        for j in range(i + 1):
            total = 0.0
            for point in range(sigma.count):
                total += (sigma.covariance_weight[point] * sigma.points[point, i]
                          * sigma.points[point, j])
            f.P[i, j] = total
            f.P[j, i] = total
    add_acceleration_noise(f.P, f.acceleration_psd, g, h)


@kernel
def _factor_after_step(f, sigma, g, h):
    """Triangularise the weighted deviations beside the root of the plant noise: P = S S^T.

    Source: van der Merwe and Wan 2001, "The square-root unscented Kalman filter", Eq. (20).
    """
    array, count, size = sigma.array, sigma.count, f.states
    for i in range(size):
        for point in range(count):
            array[i, point] = sqrt(sigma.covariance_weight[point]) * sigma.points[point, i]
        for j in range(size):
            array[i, count + j] = 0.0
    for k in range(g):
        psd = f.acceleration_psd[k]                # root of psd [h^3/3, h^2/2; h^2/2, h]
        array[k, count + k] = sqrt(psd * h * h * h / 3.0)
        array[g + k, count + k] = sqrt(0.75 * psd * h)
        array[g + k, count + g + k] = 0.5 * sqrt(psd * h)
    lower_triangularise(array[:], size, count + size)
    adopt_factor(f, sigma, 0)


@entry
def walk_factor(filters, sigmas, h):
    """Triangularise [S, root of the noise] where biases have walked for h [s]: P = S S^T."""
    f, sigma = filters[0], sigmas[0]
    array, size = sigma.array, f.states
    for i in range(size):
        for j in range(size):
            array[i, j] = sigma.factor[i, j] if j <= i else 0.0
        for b in range(f.biases):
            array[i, size + b] = sqrt(f.bias_walk[b] * h) if i == f.motion + b else 0.0
    lower_triangularise(array[:], size, size + f.biases)
    adopt_factor(f, sigma, 0)


@separate(FILTER, SIGMA, int64)
def adopt_factor(f, sigma, start):
    """Take the factor from sigma.array, from row and column `start` on, and form P of it."""
    size = f.states
    for i in range(size):
        for j in range(i + 1):
            sigma.factor[i, j] = sigma.array[start + i, start + j]
    square_of_factor(sigma.factor, size, f.P)
