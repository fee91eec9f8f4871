"""Innovations: what the readings still had to say to the filter.

Of a consistent filter they are white noise with the covariance it claims, so their spectrum is flat
and the normalized innovation squared (NIS) follows a chi-square distribution.
"""

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Innovations:
    """The innovations of one channel."""

    stamps: list = field(default_factory=list)          # [ns]
    values: list = field(default_factory=list)          # in the unit of the channel
    variances: list = field(default_factory=list)       # as the filter claims them

    def add(self, stamp, value, variance):
        """Note one innovation with its claimed variance."""
        self.stamps.append(stamp)
        self.values.append(value)
        self.variances.append(variance)

    @property
    def normalized(self):
        """Innovations over their claimed deviations (k)."""
        return np.array(self.values) / np.sqrt(self.variances)

    @property
    def rate(self):
        """Innovations per second, by the median of the intervals."""
        return 1e9 / float(np.median(np.diff(self.stamps)))

    def figures(self):
        """Return mean, deviation (measured and claimed) and whiteness."""
        values = np.array(self.values)
        correlations = autocorrelation(values, min(20, len(values) - 1))
        bound = 1.96 / np.sqrt(len(values))
        return {
            'mean': float(values.mean()),
            'deviation': float(values.std()),
            'claimed_deviation': float(np.sqrt(np.mean(self.variances))),
            'autocorrelation_lag_1': float(correlations[0]) if correlations.size else None,
            'white_lags': float(np.mean(np.abs(correlations) <= bound))
            if correlations.size else None,
        }


def autocorrelation(values, lags):
    """Return the normalized autocorrelation of a series at lags 1...lags; empty if constant."""
    centred = values - np.mean(values)
    power = centred @ centred
    if power == 0.0:
        return np.array([])
    return np.array([centred[lag:] @ centred[:-lag] for lag in range(1, lags + 1)]) / power
