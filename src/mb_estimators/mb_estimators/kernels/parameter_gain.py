"""What readings say about parameters, for which sigma points say what would be read with others."""

from math import isnan, nan

from numba import float64

from mb_estimators.kernels.gain import solve_gain
from mb_estimators.kernels.gate import credible
from mb_estimators.kernels.regularisation import factor_regularised
from mb_estimators.records.filter import FILTER
from mb_estimators.records.parameter import DUAL
from mb_model.jit import kernel, separate
from mb_model.kernel_api import cholesky_solve
from mb_sensors.kernel_api import CHANNELS


@kernel
def _row_of(f, channel):
    """Return the row of a channel among the present ones."""
    row = 0
    while f.present[row] != channel:
        row += 1
    return row


@separate(CHANNELS, FILTER, DUAL, float64[::1])
def assess_points(channels, f, e, readings):
    """Write e.kept, residual, residual_covariance, readings: of what is credible.

    The covariance is H P H^T + R of the states, already in f, and the covariance of the points.
    """
    kept = 0
    for c in range(channels.size):
        e.readings[c] = nan
    for a in range(f.count):
        c = f.present[a]
        variance = f.residual_covariance[a, a]
        for j in range(e.count):
            variance += e.outputs[c, j] ** 2 + e.bend[c, j] ** 2
        residual = f.residual[a] - e.mean[c]
        if not credible(f, residual, variance):
            continue
        e.kept[kept], e.residual[kept], e.readings[c] = c, residual, readings[c]
        for b in range(kept + 1):
            other = e.kept[b]
            total = f.residual_covariance[a, _row_of(f, other)]
            for j in range(e.count):
                total += (e.outputs[c, j] * e.outputs[other, j] + e.bend[c, j] * e.bend[other, j])
            e.residual_covariance[kept, b] = total
            e.residual_covariance[b, kept] = total
        kept += 1
    e.count_kept = kept


@separate(FILTER, DUAL, float64[::1])
def write_innovation(f, e, readings):
    """Write the innovation to f, with what was left out as not credible."""
    f.count, f.nis, f.rejected_count = e.count_kept, e.nis, 0
    for a in range(e.count_kept):
        f.present[a], f.residual[a] = e.kept[a], e.residual[a]
        for b in range(e.count_kept):
            f.residual_covariance[a, b] = e.residual_covariance[a, b]
    for c in range(readings.size):
        if not isnan(readings[c]) and isnan(e.readings[c]):
            f.rejected[f.rejected_count] = c
            f.rejected_count += 1


@separate(FILTER, DUAL)
def weigh_points(f, e):
    """Write e.step, nis and left from the innovation in f.

    With the gain factor outputs^T Sigma^-1 (Rodriguez et al. 2023, Eqs. (43), (44)), s moves by
    factor step, and the covariance becomes factor (I - outputs^T Sigma^-1 outputs) factor^T.
    Returns False if Sigma or that is not positive definite.
    """
    if not solve_gain(f):
        return False
    e.nis = f.nis
    k, p = f.count, e.count
    for j in range(p):
        e.step[j] = 0.0
        for a in range(k):
            e.step[j] += e.outputs[e.kept[a], j] * f.weighted[a]
    for j in range(p):
        for a in range(k):
            e.weighted[a] = e.outputs[e.kept[a], j]
        cholesky_solve(f.residual_factor, e.weighted, k)
        e.ones[j] = 1.0
        for i in range(j, p):
            e.remaining[i, j] = 1.0 if i == j else 0.0
            for a in range(k):
                e.remaining[i, j] -= e.outputs[e.kept[a], i] * e.weighted[a]
    return factor_regularised(e.remaining, e.ones, p, 0.0, e.left) >= 0.0
