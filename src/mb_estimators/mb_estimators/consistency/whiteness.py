"""Is a series white noise, or does it say something about its own future?"""

import numpy as np

LAGS = 20       # correlations that are looked at


def autocorrelation(values, lags):
    """Return the autocorrelation of a series at lags 1...lags; zeros if it is constant."""
    centred = values - np.mean(values)
    power = centred @ centred
    if power == 0.0:
        return np.zeros(lags)
    return np.array([centred[lag:] @ centred[:-lag] for lag in range(1, lags + 1)]) / power


def ljung_box(correlations, count):
    """Return the statistic of Ljung and Box (1978): how much a series of `count` values correlates.

    correlations: at lags 1, 2, ...; of white noise it is a chi-square variable with as many degrees
    of freedom.
    """
    lags = np.arange(1, len(correlations) + 1)
    return float(count * (count + 2) * np.sum(correlations ** 2 / (count - lags)))
