"""Prediction of all coordinates and velocities by forward Euler."""

from math import sqrt

from mb_estimators.kernels.array_correction import lower_triangularise, take_factor
from mb_estimators.kernels.dependent_equations import constrain
from mb_estimators.kernels.dependent_state import (
    accelerate,
    close,
    free_dependent,
    holds_together,
    keep,
    pass_on_biases,
    return_to_kept,
)
from mb_model.jit import entry, kernel
from mb_model.kernel_api import cholesky_factor, set_time

PREDICTED, IMPOSSIBLE, TOO_NOISY = range(3)     # what became of a prediction


@entry
def predict_dependent(models, works, filters, h):
    """Step q, qd by forward Euler over h [s]; propagate their covariance by the simple f_x.

    Where that leaves the constraints by more than the tolerance, q and qd are brought back to them
    with the degrees of freedom as they are; as published they are not.
    Source: SCKF and DIEKFpm, Rodriguez et al. 2023, Eqs. (56)-(58).
    Returns PREDICTED, or, the state unchanged, IMPOSSIBLE if the model cannot, TOO_NOISY if the
    plant noise as published has no covariance, see _propagate.
    """
    model, work, f = models[0], works[0], filters[0]
    keep(model, work, f)
    if accelerate(model, work) == 0.0:
        return_to_kept(model, work, f)
        return IMPOSSIBLE
    if not _propagate(model, work, f, h):
        return_to_kept(model, work, f)
        return TOO_NOISY
    for i in range(model.n):
        work.q[i] += h * work.qd[i]
        work.qd[i] += h * work.qdd[i]
    set_time(model, work, work.t + h)
    violation = constrain(model, work, f, 0)
    if f.as_published == 1 or violation <= f.tolerance:
        moved = accelerate(model, work) != 0.0 and holds_together(model, work)
    else:
        moved = close(model, work, f)
    if moved:
        return PREDICTED
    return_to_kept(model, work, f)
    return IMPOSSIBLE


@kernel
def _propagate(model, work, f, h):
    """P = f_x P f_x^T + plant noise, on the factor: f_x = [I, hI; 0, I].

    Noise of the degrees of freedom, white in their accelerations but with positions and velocities
    apart, moves the other coordinates by R; these have the noise sigma_b^2 beside, so that
    constraints are free to move them.  As published, sigma_b^2 is all of their noise: of each block
    [sigma_b^2 I, R_d Q; Q R_d^T, Q].  Biases walk.
    Source: Rodriguez et al. 2023, Eqs. (57), (108), (109) and figures n to p.
    Returns False if sigma_b^2 is less than what the degrees of freedom move the others by.
    """
    n, g, size = model.n, model.g, f.states
    array = f.array
    for i in range(n):
        for j in range(size):
            array[i, j] = f.factor[i, j] + h * f.factor[n + i, j]
            array[n + i, j] = f.factor[n + i, j]
        for j in range(size, 2 * size):
            array[i, j] = array[n + i, j] = 0.0
        for k in range(g):
            density = f.acceleration_psd[k]
            array[i, size + 2 * n - g + k] = sqrt(density * h * h * h / 3.0) * work.R[i, k]
            array[n + i, size + n - g + k] = sqrt(density * h) * work.R[i, k]
    pass_on_biases(f, size + 2 * n, h)
    if f.as_published == 1:
        if not (_free_as_published(model, work, f, 0, size, h * h * h / 3.0)
                and _free_as_published(model, work, f, n, size + n, h)):
            return False
    else:
        free_dependent(model, f, size)
    lower_triangularise(array[:], size, 2 * size)
    take_factor(f, 0)
    return True


@kernel
def _free_as_published(model, work, f, row, column, share):
    """Write the factor of sigma_b^2 I - R_d Q R_d^T to f.array; Q = share of the densities.

    With the noise of the degrees of freedom, the block of the others is sigma_b^2 I then.
    row, column: where the block of positions or velocities begins.
    """
    size, factor = model.n - model.g, f.noise
    for a in range(size):
        for b in range(a + 1):
            factor[a, b] = f.dependent_variance if a == b else 0.0
            for k in range(model.g):
                factor[a, b] -= (share * f.acceleration_psd[k] * work.R[model.dependent[a], k]
                                 * work.R[model.dependent[b], k])
    if not cholesky_factor(factor, size):
        return False
    for a in range(size):
        for b in range(a + 1):
            f.array[row + model.dependent[a], column + b] = factor[a, b]
    return True
