"""Agreement of the innovations of one sensor with the filter's claims."""

from dataclasses import dataclass

import numpy as np

from mb_estimators.consistency.cause import Cause, cause_of
from mb_estimators.consistency.chi_square import chi_square_bound
from mb_estimators.consistency.scales import RELEVANT, scales
from mb_estimators.consistency.verdict import remark, verdict
from mb_model.arrays import FloatArray

_INCREDIBLE = 6e-7      # chance of a reading that a consistent filter cannot believe


@dataclass(frozen=True)
class SensorConsistency:
    """Figures of a sensor's innovations, with the bounds of a consistent filter.

    A filter is consistent if its errors are no larger than it claims.  count: readings that were
    judged; nis: mean normalized innovation squared of a channel, 1 if the claim is exact, and its
    bound; lasting: the same for averages of `lasting_length` readings, the length with the largest
    ratio to its bound; offset: of the mean innovation from zero, in deviations; incredible: share
    of incredible readings; cause: that fits the pattern.  Too few readings say nothing: they count
    as consistent.
    """

    sensor: str
    count: int
    nis: float
    nis_bound: float
    lasting: float
    lasting_bound: float
    lasting_length: int
    offset: float
    incredible: float
    cause: Cause

    @property
    def has_right_size(self) -> bool:
        """Whether the innovations are no larger than the filter claims."""
        return self.nis <= self.nis_bound

    @property
    def is_lasting(self) -> bool:
        """Whether they have a part that lasts."""
        return self.lasting > self.lasting_bound

    @property
    def is_consistent(self) -> bool:
        """Whether they are no larger, at once and on average over any time."""
        return self.has_right_size and not self.is_lasting

    @property
    def is_cautious(self) -> bool:
        """Whether a consistent filter expects clearly larger innovations than there are."""
        return self.is_consistent and self.count > 0 and self.nis < 1.0 / RELEVANT

    @property
    def verdict(self) -> str:
        """The inconsistency in words; empty without one."""
        return verdict(self)

    @property
    def remark(self) -> str:
        """A remark on a consistent filter, in words; may be empty."""
        return remark(self)


def assess(sensor: str, innovations: FloatArray, level: float = 0.95) -> SensorConsistency:
    """Return the SensorConsistency of whitened innovations (k, channels) of a sensor, a name.

    level: probability with which a filter whose claim is exact is found consistent.
    """
    count, channels = innovations.shape
    if count < 2:
        return _nothing_known(sensor, count)
    found = scales(innovations, level)
    worst = max(found[1:], key=lambda scale: scale.excess, default=found[0])
    squares = np.sum(innovations ** 2, axis=1)
    credible = squares <= chi_square_bound(channels, 1.0 - _INCREDIBLE)
    return SensorConsistency(
        sensor, count, found[0].ratio, found[0].bound, worst.ratio, worst.bound, worst.length,
        offset=float(np.linalg.norm(innovations.mean(axis=0))),
        incredible=float(np.mean(~credible)),
        cause=cause_of(found, float(np.median(squares)) / float(chi_square_bound(channels, 0.5))))


def _nothing_known(sensor, count):
    """Return the figures of too few readings: everything is possible."""
    all_numbers = float('inf')
    return SensorConsistency(
        sensor, count, 1.0, all_numbers, 1.0, all_numbers, 1, 0.0, 0.0, Cause.NONE)
