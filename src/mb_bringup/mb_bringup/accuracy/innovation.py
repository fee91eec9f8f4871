"""Innovations: what the readings still had to say to the filter.

Of a consistent filter they are white noise with the covariance it claims, so their spectrum is flat
and the normalized innovation squared (NIS) follows a chi-square distribution.
"""

from dataclasses import dataclass, field

import numpy as np
from scipy.signal import welch
from scipy.stats import chi2


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


def spectrum(values, rate):
    """Return frequencies [Hz], power spectral density, and the number of averaged segments.

    One-sided density (Welch's method, Hann window, half overlapping segments); white noise of
    variance s^2 has 2 s^2 / rate at every frequency.
    """
    length = min(256, len(values))
    frequencies, density = welch(values, fs=rate, nperseg=length, detrend='constant')
    segments = max(1, 2 * len(values) // length - 1)
    return frequencies[1:], density[1:], segments


def white_band(segments, level=0.95):
    """Return the bounds, relative to the true density, of a spectrum averaged over segments.

    Neighbours of half overlapping Hann segments correlate with 1/6, so the variance of the average
    is (1 + 2/36) / segments and each counts as 18/19 independent ones (after Welch 1967).
    """
    freedom = 2.0 * max(1.0, segments * 18.0 / 19.0)
    return (chi2.ppf((1 - level) / 2, freedom) / freedom,
            chi2.ppf((1 + level) / 2, freedom) / freedom)


def nis_figures(nis, sizes):
    """Return the mean NIS per channel (1 if consistent) and the share inside the 95 % interval.

    nis: (k); sizes: number of channels of each (k).
    """
    if not len(nis):
        return {'mean_per_channel': None, 'inside_95': None}
    low, high = chi2.ppf(0.025, sizes), chi2.ppf(0.975, sizes)
    return {'mean_per_channel': float(np.sum(nis) / np.sum(sizes)),
            'inside_95': float(np.mean((nis >= low) & (nis <= high)))}
