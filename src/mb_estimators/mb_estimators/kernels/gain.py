"""Innovation covariance, Kalman gain, state correction and NIS from the observation."""

from numba import njit

from mb_estimators.record import FILTER
from mb_model.kernels.linear_algebra import cholesky_factor, cholesky_solve
from mb_model.separate import separate

_ROUNDING = 1e-15         # of a variance
_ATTEMPTS = 8


@njit(cache=True)
def _factor_residuals(f):
    """Write f.residual_factor, of the residual covariance and as little more as it needs.

    The noise of sensors that agree far better than the prediction knows drowns in rounding; the
    gain is a little smaller than the best one then.  Returns whether there is a factor.
    """
    share = 0.0
    for _ in range(_ATTEMPTS):
        for a in range(f.count):
            for b in range(a + 1):
                f.residual_factor[a, b] = f.residual_covariance[a, b]
            f.residual_factor[a, a] *= 1.0 + share
        if cholesky_factor(f.residual_factor, f.count):
            return True
        share = max(_ROUNDING, 10.0 * share)
    return False


@separate(FILTER)
def solve_gain(f):
    """From P H^T (or P_xy) in f.gain, residual_covariance, residual write gain, dx and nis.

    Returns False if the residual covariance is not positive definite.
    """
    size, count = f.states, f.count
    if not _factor_residuals(f):
        return False
    for i in range(size):
        cholesky_solve(f.residual_factor, f.gain[i], count)
    weighted = f.weighted
    for a in range(count):
        weighted[a] = f.residual[a]
    cholesky_solve(f.residual_factor, weighted, count)
    f.nis = 0.0
    for a in range(count):
        f.nis += f.residual[a] * weighted[a]
    for i in range(size):
        f.dx[i] = 0.0
        for a in range(count):
            f.dx[i] += f.gain[i, a] * f.residual[a]
    return True


@separate(FILTER)
def kalman_gain(f):
    """From f.P, H, residual write residual_covariance, gain, dx and nis.

    Sigma = H P H^T + R, K = P H^T Sigma^-1, dx = K residual: Rodriguez et al. 2023, Eqs. (72)
    to (74).
    Returns False if Sigma is not positive definite.
    """
    size, count = f.states, f.count
    for a in range(count):
        for i in range(size):
            f.gain[i, a] = 0.0                  # P H^T for now
            for j in range(size):
                f.gain[i, a] += f.P[i, j] * f.H[a, j]
    for a in range(count):
        for b in range(a + 1):
            total = f.variance[f.present[a]] if a == b else 0.0
            for i in range(size):
                total += f.H[a, i] * f.gain[i, b]
            f.residual_covariance[a, b] = total
            f.residual_covariance[b, a] = total
    return solve_gain(f)
