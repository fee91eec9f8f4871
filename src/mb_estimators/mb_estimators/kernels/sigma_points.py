"""Sigma points: drawn around the state, and the mechanism put at one of them."""

from numba import float64

from mb_estimators.records.filter import FILTER, SIGMA
from mb_model.jit import kernel, separate
from mb_model.kernel_api import (
    cholesky_factor,
    forward_dynamics,
    reach_position,
    solve_multipliers,
)
from mb_model.record import MODEL, WORK


@kernel
def spread(sigma, centre, size):
    """Write sigma.points around a centre (size), as sigma.factor spreads them: Eqs. (34)-(36)."""
    for point in range(sigma.count):
        for i in range(size):
            sigma.points[point, i] = centre[i]
            for j in range(i + 1):
                sigma.points[point, i] += sigma.factor[i, j] * sigma.unit[point, j]


@separate(MODEL, WORK, FILTER, SIGMA)
def draw(model, work, f, sigma):
    """Write sigma.points around z, zd and biases, kept in sigma.x, with the covariance f.P.

    Source: Rodriguez et al. 2023, Eqs. (34)-(36) and (45).
    Returns False if f.P is not positive definite.
    """
    size = f.states
    for row in range(model.n):
        sigma.q[row] = work.q[row]
    for k in range(model.g):
        sigma.x[k], sigma.x[model.g + k] = work.z[k], work.zd[k]
    for b in range(f.biases):
        sigma.x[f.motion + b] = f.bias[b]
    if sigma.square_root == 0:
        for i in range(size):
            for j in range(i + 1):
                sigma.factor[i, j] = f.P[i, j]
        if not cholesky_factor(sigma.factor, size):
            return False
    spread(sigma, sigma.x, size)
    return True


@separate(MODEL, WORK, SIGMA)
def return_to_centre(model, work, sigma):
    """Put the model back to where the points were drawn; return whether that is regular."""
    for row in range(model.n):
        work.q[row] = sigma.q[row]
    for k in range(model.g):
        work.z[k], work.zd[k] = sigma.x[k], sigma.x[model.g + k]
    if not forward_dynamics(model, work):
        return False
    solve_multipliers(model, work)
    return True


@separate(MODEL, WORK, WORK['q'], float64[::1])
def reach(model, work, near, x):
    """Put the model at the position of x = (z, zd, ...), coming from the position near (n).

    Prescribed coordinates go to where they are at work.t, near may be of another time.
    Returns False where the mechanism does not close.
    """
    for row in range(model.n):
        work.q[row] = near[row]
    for k in range(model.g):
        work.z[k], work.zd[k] = x[k], x[model.g + k]
    return reach_position(model, work)


@kernel
def put_at(model, work, near, x):
    """Put the model at x = (z, zd, ...), coming from the position near (n); solve the dynamics.

    Returns False where the mechanism does not close or is singular.
    """
    return reach(model, work, near, x) and forward_dynamics(model, work)


@kernel
def halve(sigma, point, size):
    """Halve the distance of a point from the centre, for one that the mechanism cannot reach."""
    for i in range(size):
        sigma.points[point, i] = 0.5 * (sigma.points[point, i] + sigma.x[i])


@kernel
def subtract_mean(sigma, size):
    """Write the mean of the points, and make them deviations from it.  Eq. (38)."""
    for i in range(size):
        total = 0.0
        for point in range(sigma.count):
            total += sigma.mean_weight[point] * sigma.points[point, i]
        sigma.mean[i] = total
        for point in range(sigma.count):
            sigma.points[point, i] -= total
