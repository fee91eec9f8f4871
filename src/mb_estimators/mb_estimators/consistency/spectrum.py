"""How white a series is: its autocorrelation and its spectrum."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mb_estimators.consistency.normalized import chi_square_interval
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


def spectrum(values: ArrayLike, rate: float) -> tuple[NDArray[np.floating], FloatArray, int]:
    """Return frequencies [Hz], power spectral density, and the number of averaged segments.

    One-sided density by Welch's method: half overlapping Hann segments, their means removed.  White
    noise of variance s^2 has 2 s^2 / rate at every frequency.
    """
    values = np.asarray(values, float)
    length = min(256, len(values))
    starts = range(0, len(values) - length + 1, max(1, length // 2))
    segments = np.array([values[k:k + length] for k in starts])                     # (s, length)
    window = 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(length) / length)
    lines = np.fft.rfft((segments - segments.mean(axis=1, keepdims=True)) * window, axis=1)
    density = np.mean(np.abs(lines) ** 2, axis=0) * 2.0 / (rate * window @ window)
    if length % 2 == 0:
        density[-1] /= 2.0          # the Nyquist frequency has no mirror image
    return np.fft.rfftfreq(length, 1.0 / rate)[1:], density[1:], len(segments)


def white_band(segments: int, level: float = 0.95) -> tuple[float, float]:
    """Return the bounds, relative to the true density, of a spectrum averaged over segments.

    Neighbours of half overlapping Hann segments correlate with 1/6, so the variance of the average
    is (1 + 2/36) / segments and each counts as 18/19 independent ones (after Welch 1967).
    """
    freedom = 2.0 * max(1.0, segments * 18.0 / 19.0)
    low, high = chi_square_interval(freedom, level)
    return low / freedom, high / freedom
