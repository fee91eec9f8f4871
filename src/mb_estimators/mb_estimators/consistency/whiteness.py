"""How white innovations are: averages of them from short to long, autocorrelation and spectrum.

An average of b white deviates of variance 1 has the variance 1 / b.  Larger averages come from
errors that last: from a wrong model, or an offset.  Smaller ones come from a gain that is too large
for the noise, and do no harm.  The same comparison as the Allan variance (Allan 1966).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mb_estimators.consistency.normalized import chi_square_bound, chi_square_interval
from mb_model.arrays import FloatArray

RELEVANT = 1.1 ** 2     # times as large as claimed: less makes no difference to an interval
_FACTOR = 4             # from one length to the next
_FEWEST = 8             # averages of one length, but for the longest


@dataclass(frozen=True)
class Scale:
    """Averages of `length` readings: their mean square, 1 if white, and its bound.

    freedom: how many independent numbers it is the mean of.
    """

    length: int
    ratio: float
    bound: float
    freedom: int

    @property
    def excess(self) -> float:
        """How many times as large as the bound the mean square is."""
        return self.ratio / self.bound


def scales(innovations: FloatArray, level: float) -> list[Scale]:
    """Return the Scales of whitened innovations (k, channels), k at least 1, the shortest first.

    level: probability with which white noise of variance 1 stays below all bounds together; they
    are at least RELEVANT.
    """
    count, channels = innovations.shape
    lengths = [1]
    while count // (lengths[-1] * _FACTOR) >= _FEWEST:
        lengths.append(lengths[-1] * _FACTOR)
    if count > lengths[-1]:
        lengths.append(count)
    own = 1.0 - (1.0 - level) / len(lengths)
    averages = []
    for length in lengths:
        number = count // length
        sums = innovations[:number * length].reshape(number, length, channels).sum(axis=1)
        freedom = number * channels
        bound = max(chi_square_bound(freedom, 1.0 - own) / freedom, RELEVANT)
        averages.append(Scale(length, float(np.mean(sums ** 2)) / length, bound, freedom))
    return averages


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
