"""Is a series white noise, or does it say something about its own future?"""

import numpy as np

from mb_estimators.kernels.moments import moments

LAGS = 20       # correlations that are looked at


def described(values, lags):
    """Return means (c), variances (c) and autocorrelations (c, lags) of series, values (k, c)."""
    count, series = values.shape
    means, variances, correlations = np.zeros(series), np.zeros(series), np.zeros((series, lags))
    if count:
        moments(np.ascontiguousarray(values.T, float), means, variances, correlations)
    return means, variances, correlations


def autocorrelation(values, lags):
    """Return the autocorrelation of a series at lags 1...lags; zeros if it is constant."""
    return described(np.reshape(values, (-1, 1)), lags)[2][0]


def ljung_box(correlations, count):
    """Return the statistic of Ljung and Box (1978): how much a series of `count` values correlates.

    correlations: at lags 1, 2, ...; of white noise it is a chi-square variable with as many degrees
    of freedom.
    """
    lags = np.arange(1, len(correlations) + 1)
    return float(count * (count + 2) * np.sum(correlations ** 2 / (count - lags)))
