"""How well the innovations of one sensor agree with what the filter expects of them."""

from dataclasses import dataclass

import numpy as np

from mb_estimators.consistency.chi_square import chi_square_bound, mean_interval
from mb_estimators.consistency.verdict import verdict
from mb_estimators.consistency.whiteness import LAGS, described, ljung_box

_FIRST = 5      # lags whose correlations tell whether the gain is too small or too large


@dataclass(frozen=True)
class SensorConsistency:
    """Figures of a sensor's innovations, beside what a consistent filter keeps within.

    count: readings that were judged; nis: mean normalized innovation squared of a channel, 1 if the
    filter is consistent; offset: of the mean innovation from zero, in deviations; ljung_box: of all
    channels; correlation: sum of the autocorrelation at the first lags; strongest: the largest one
    and its distance in readings.  Too few readings say nothing: they are consistent.
    """

    sensor: str
    count: int
    nis: float
    nis_bounds: tuple[float, float]
    offset: float
    offset_bound: float
    ljung_box: float
    ljung_box_bound: float
    correlation: float
    correlation_bound: float
    strongest_correlation: float
    strongest_lag: int

    @property
    def has_right_size(self):
        """Whether the innovations are as large as the filter expects."""
        return self.nis_bounds[0] <= self.nis <= self.nis_bounds[1]

    @property
    def is_centred(self):
        """Whether the mean of the innovations is zero."""
        return self.offset <= self.offset_bound

    @property
    def is_white(self):
        """Whether the innovations say nothing about those to come."""
        return self.ljung_box <= self.ljung_box_bound

    @property
    def is_consistent(self):
        """Whether all three hold."""
        return self.has_right_size and self.is_centred and self.is_white

    @property
    def verdict(self):
        """What is wrong, in words; empty if nothing is."""
        return verdict(self)


def assess(sensor, innovations, level=0.95):
    """Return the SensorConsistency of whitened innovations (k, channels) of a sensor, a name.

    level: probability with which a consistent filter passes each of the three tests.
    """
    count, channels = innovations.shape
    if count < 2:
        return _nothing_known(sensor, count)
    low, high = (float(bound) / channels for bound in mean_interval(channels, count, level))
    lags = max(1, min(LAGS, count // 4))
    means, variances, found = described(innovations, lags)
    correlations = found.mean(axis=0)
    strongest = int(np.argmax(np.abs(correlations)))
    offset = np.divide(means, np.sqrt(variances), where=variances > 0.0, out=np.zeros(channels))
    tendency = correlations[:_FIRST]
    # Neighbours that resemble each other say less about the mean (Priestley 1981).
    length = max(1.0, 1.0 + 2.0 * correlations.sum())
    return SensorConsistency(
        sensor, count, float(np.mean(variances + means ** 2)), (low, high),
        offset=float(np.linalg.norm(offset)),
        offset_bound=float(np.sqrt(chi_square_bound(channels, level) * length / count)),
        ljung_box=sum(ljung_box(row, count) for row in found),
        ljung_box_bound=float(chi_square_bound(lags * channels, level)),
        correlation=float(tendency.sum()),
        correlation_bound=float(
            np.sqrt(chi_square_bound(1, level) * len(tendency) / (count * channels))),
        strongest_correlation=float(correlations[strongest]), strongest_lag=strongest + 1)


def _nothing_known(sensor, count):
    """Return the figures of too few readings: everything is possible."""
    nan, all_numbers = float('nan'), float('inf')
    return SensorConsistency(sensor, count, 1.0, (0.0, all_numbers), 0.0, all_numbers, 0.0,
                             all_numbers, 0.0, all_numbers, nan, 0)
