"""Agreement of the innovations of one sensor with the filter's claims."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mb_estimators.consistency.normalized import chi_square_bound, count_tail
from mb_estimators.consistency.scales import RELEVANT, scales
from mb_estimators.consistency.verdict import Cause, cause_of, remark, verdict
from mb_model.arrays import FloatArray

_NOISIER = 2.0 ** 2   # times as large as declared
_DEVIATIONS = 4.0       # of what chance makes of it


class SensorNoise(NamedTuple):
    """Variance of the noise of readings, 1 as declared, and what it may seem to be by chance."""

    variance: float
    bound: float


def sensor_noise(whitened: FloatArray, in_sigmas: FloatArray) -> SensorNoise | None:
    """Return the SensorNoise of innovations in a row (k, channels), None if they do not say it.

    whitened: in units of their expected covariance; in_sigmas: of the declared noise.
    """
    if len(whitened) < 2 or not np.isfinite(in_sigmas).all():
        return None
    with np.errstate(over='ignore'):        # infinite for wild readings
        following = np.mean(in_sigmas[1:] * in_sigmas[:-1])
        chance = np.mean(in_sigmas ** 2) / np.sqrt(in_sigmas.size)
        found = float(np.mean(whitened ** 2) - following)
    bound = _NOISIER + _DEVIATIONS * float(chance)
    return SensorNoise(found, bound) if np.isfinite((found, bound)).all() else None


_INCREDIBLE = 6e-7      # chance of a reading that a consistent filter cannot believe
_TOLERATED = 0.01       # share of readings left out, as single spikes are, that is no fault


@dataclass(frozen=True)
class SensorConsistency:
    """Figures of a sensor's innovations, with the bounds of a consistent filter.

    A filter is consistent if its errors are no larger than it claims, and it uses the readings.
    count: readings that were judged, left_out: of these the ones that the filter did not use; the
    other figures are of those it used.  nis: mean normalized innovation squared of a channel, 1 if
    the claim is exact, infinite if nothing was used, and its bound; lasting: the same for averages
    of `lasting_length` readings, the length with the largest ratio to its bound; offset: of the
    mean innovation from zero, in deviations; incredible: share of readings that are incredible or
    left out; too_many_left_out: whether that are more than chance and single spikes explain; cause:
    that fits the pattern; noise: of the readings, None if it is not known.  Too few readings say
    nothing: they count as consistent.
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
    left_out: int = 0
    too_many_left_out: bool = False
    noise: SensorNoise | None = None

    @property
    def has_right_size(self) -> bool:
        """Whether the innovations are no larger than the filter claims."""
        return self.nis <= self.nis_bound

    @property
    def is_lasting(self) -> bool:
        """Whether they have a part that lasts."""
        return self.lasting > self.lasting_bound

    @property
    def is_noisy(self) -> bool:
        """Whether readings are clearly noisier than declared."""
        return self.noise is not None and self.noise.variance > self.noise.bound

    @property
    def is_consistent(self) -> bool:
        """Whether they are no larger, at once and on average over any time, of readings that are
        used and no noisier than declared.
        """
        return (self.has_right_size and not self.is_lasting and not self.is_noisy
                and not self.too_many_left_out)

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


def assess(sensor: str, innovations: FloatArray, level: float = 0.95, left_out: int = 0,
           by_chance: float = 0.0, in_sigmas: FloatArray | None = None) -> SensorConsistency:
    """Return the SensorConsistency of whitened innovations (k, channels) of a sensor, a name.

    level: probability with which a filter whose claim is exact is found consistent; left_out: how
    many more readings there were, which the filter did not use; by_chance: share of right readings
    that its gate leaves out; in_sigmas (k, channels): innovations in units of the declared noise.
    """
    used, channels = innovations.shape
    count = used + left_out
    too_many = count > 1 and bool(
        count_tail(left_out, count, max(_TOLERATED, by_chance)) < 1.0 - level)
    if used < 2:
        return _nothing_known(sensor, count, left_out, too_many)
    found = scales(innovations, level)
    worst = max(found[1:], key=lambda scale: scale.excess, default=found[0])
    squares = np.sum(innovations ** 2, axis=1)
    credible = squares <= chi_square_bound(channels, _INCREDIBLE)
    return SensorConsistency(
        sensor, count, found[0].ratio, found[0].bound, worst.ratio, worst.bound, worst.length,
        offset=float(np.linalg.norm(innovations.mean(axis=0))),
        incredible=float(np.sum(~credible) + left_out) / count,
        cause=cause_of(found, float(np.median(squares)) / chi_square_bound(channels, 0.5)),
        left_out=left_out, too_many_left_out=too_many,
        noise=None if in_sigmas is None else sensor_noise(innovations, in_sigmas))


def _nothing_known(sensor, count, left_out, too_many):
    """Return the figures of too few used readings: everything is possible, of these."""
    all_numbers = float('inf')
    return SensorConsistency(
        sensor, count, all_numbers if left_out else 1.0, all_numbers, 1.0, all_numbers, 1, 0.0,
        left_out / count if count else 0.0, Cause.NONE, left_out, too_many)
