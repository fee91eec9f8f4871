"""How much a series resembles itself a while ago."""

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray


def autocorrelation(values: ArrayLike, lags: int) -> FloatArray:
    """Return the autocorrelation of a series (k) at lags 1...lags; zeros if it is constant."""
    values = np.asarray(values, float)
    centred = values - values.mean()
    power = centred @ centred
    if np.ptp(values) == 0.0 or power == 0.0:
        return np.zeros(lags)
    return np.array([centred[lag:] @ centred[:-lag] if lag < len(values) else 0.0
                     for lag in range(1, lags + 1)]) / power
