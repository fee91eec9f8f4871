"""Innovation covariance, Kalman gain, state correction and NIS from the observation."""

from mb_estimators.kernels.covariance import cross_covariance, factor_regularised
from mb_estimators.records.filter import FILTER
from mb_model.jit import kernel, separate
from mb_model.kernel_api import cholesky_solve


@kernel
def _factor_residuals(f):
    """Write f.residual_factor, of the residual covariance and as little more as it needs.

    The noise of sensors that agree far better than the prediction knows drowns in rounding; the
    gain is a little smaller than the best one then.  Returns whether there is a factor.
    """
    for a in range(f.count):
        f.weighted[a] = f.residual_covariance[a, a]
    return factor_regularised(f.residual_covariance, f.weighted, f.count, 0.0,
                              f.residual_factor) >= 0.0


@kernel
def _solve_for_all(factor, rows, count, size):
    """Solve L L^T X = rows (count, size) in place, all columns at once, from cholesky_factor."""
    for a in range(count):
        for b in range(a):
            for i in range(size):
                rows[a, i] -= factor[a, b] * rows[b, i]
        for i in range(size):
            rows[a, i] /= factor[a, a]
    for a in range(count - 1, -1, -1):
        for b in range(a + 1, count):
            for i in range(size):
                rows[a, i] -= factor[b, a] * rows[b, i]
        for i in range(size):
            rows[a, i] /= factor[a, a]


@kernel
def _weigh(f, crossed):
    """From H P or P_xy^T (k, l), residual_covariance, residual write gain, dx and nis.

    Overwrites crossed.  Returns False if the residual covariance is not positive definite.
    """
    size, count = f.states, f.count
    if not _factor_residuals(f):
        return False
    _solve_for_all(f.residual_factor, crossed, count, size)
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
        for i in range(size):
            f.gain[i, a] = crossed[a, i]
            f.dx[i] += crossed[a, i] * f.residual[a]
    return True


@separate(FILTER)
def solve_gain(f):
    """From P_xy in f.gain, residual_covariance, residual write gain, dx and nis.

    Overwrites f.crossed.  Returns False if the residual covariance is not positive definite.
    """
    crossed = f.crossed
    for a in range(f.count):
        for i in range(f.states):
            crossed[a, i] = f.gain[i, a]
    return _weigh(f, crossed)


@separate(FILTER)
def kalman_gain(f):
    """From f.P, H, residual write residual_covariance, gain, dx and nis.

    Sigma = H P H^T + R, K = P H^T Sigma^-1, dx = K residual: Rodriguez et al. 2023, Eqs. (72)
    to (74).  Overwrites f.crossed.
    Returns False if Sigma is not positive definite.
    """
    size, count, crossed = f.states, f.count, f.crossed
    cross_covariance(f)
    for a in range(count):
        for b in range(a + 1):
            total = f.variance[f.present[a]] if a == b else 0.0
            for i in range(size):
                if f.H[a, i] != 0.0:
                    total += f.H[a, i] * crossed[b, i]
            f.residual_covariance[a, b] = total
            f.residual_covariance[b, a] = total
    return _weigh(f, crossed)


@kernel
def explained_variance(f, i):
    """Return K S K^T of state i: the variance that its correction f.dx has if all is as assumed."""
    variance = 0.0
    for a in range(f.count):
        for b in range(f.count):
            variance += f.gain[i, a] * f.residual_covariance[a, b] * f.gain[i, b]
    return variance


@kernel
def copy_innovation(source, target, count):
    """Copy residuals (count), their covariance and the NIS: from a filter to keep them, or back."""
    target.nis = source.nis
    for a in range(count):
        target.residual[a] = source.residual[a]
        for b in range(count):
            target.residual_covariance[a, b] = source.residual_covariance[a, b]
