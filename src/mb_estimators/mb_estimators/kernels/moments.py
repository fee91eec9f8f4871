"""Means, variances and autocorrelations of series."""

from numba import njit
import numpy as np


@njit(cache=True)
def moments(values, means, variances, correlations):
    """Write mean, variance and autocorrelation of series: values (series, k), k at least 1.

    means, variances (series); correlations (series, lags): at lags 1, 2, ..., zeros of a series
    that is constant.
    """
    lags, (series, count) = correlations.shape[1], values.shape
    centred = np.empty(count)
    for s in range(series):
        first = values[s, 0]        # as the origin: a constant has no variance by rounding
        total = 0.0
        for k in range(count):
            total += values[s, k] - first
        mean, power = total / count, 0.0
        for k in range(count):
            centred[k] = values[s, k] - first - mean
            power += centred[k] * centred[k]
        means[s], variances[s] = first + mean, power / count
        row = correlations[s]
        row[:] = 0.0
        if power > 0.0:
            for k in range(count):
                for lag in range(min(lags, count - 1 - k)):
                    row[lag] += centred[k] * centred[k + 1 + lag]
            row /= power
