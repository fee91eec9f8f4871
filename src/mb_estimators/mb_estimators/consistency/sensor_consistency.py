"""Agreement of the innovations of one sensor with the filter's claims, in figures and words.

The observation comes first; then its cause, if it can be named.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from mb_estimators.consistency.normalized import chi_square_bound, count_tail
from mb_estimators.consistency.whiteness import RELEVANT, Scale, scales
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
        variance = float(np.mean(whitened ** 2) - following)
    bound = _NOISIER + _DEVIATIONS * float(chance)
    return SensorNoise(variance, bound) if np.isfinite((variance, bound)).all() else None


_CHANCE = 1e-3          # that averages of white noise seem to last


class Cause(StrEnum):
    """The cause that fits the pattern of innovations, in words."""

    NONE = ''
    NOISE = 'as if the sensor were noisier than declared'
    OUTLIERS = 'as single readings that are far off do'
    LASTING = 'as a wrong model, an unknown force or an offset of the sensor does'


def cause_of(scales: Sequence[Scale], typical: float) -> Cause:
    """Return the Cause of innovations with these Scales, the shortest first.

    typical: median of the normalized squares, 1 if most readings have the claimed size.
    """
    if all(scale.excess <= 1.0 for scale in scales):
        return Cause.NONE
    short = scales[0]
    if any(scale.excess > 1.0 and scale.ratio > short.ratio * _by_chance(scale.freedom)
           for scale in scales[1:]):
        return Cause.LASTING
    if short.excess <= 1.0:
        return Cause.NONE
    few = typical - 1.0 < 0.5 * (short.ratio - 1.0)
    return Cause.OUTLIERS if few else Cause.NOISE


def _by_chance(freedom: int) -> float:
    """Return how many times too large averages of white noise may seem, by chance."""
    return chi_square_bound(freedom, _CHANCE) / freedom


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
        problems = []
        if self.too_many_left_out:
            problems.append(left_out_text(self.left_out, self.count))
        if not self.has_right_size:
            problems.append(
                f'innovations are {_times(self.nis)} times as large as the filter expects')
        if self.is_lasting:
            whose = 'their averages' if not self.has_right_size else 'averages of innovations'
            problems.append(f'{whose} over {self.lasting_length} readings are '
                            f'{_times(self.lasting)} times as large as white noise has them')
        if self.noise and self.is_noisy and self.has_right_size:
            problems.append(
                f'readings are {_times(self.noise.variance)} times as noisy as declared')
        cause = f', {self.cause}' if self.cause else ''
        return f'{self.sensor}: {" and ".join(problems)}{cause}' if problems else ''

    @property
    def remark(self) -> str:
        """That a consistent filter is more cautious than it has to be; empty if it is not."""
        return (f'{self.sensor}: innovations are {_times(self.nis)} times as large as the filter '
                'expects, its intervals are wider than needed') if self.is_cautious else ''


def left_out_text(left_out: int, count: int) -> str:
    """Return in words how many readings of a sensor were left out."""
    return (f'all {count} readings were left out' if left_out == count else
            f'{left_out} of {count} readings were left out')


def _times(square: float) -> str:
    return f'{sqrt(square):.3g}'


def assess(sensor: str, innovations: FloatArray, level: float = 0.95, left_out: int = 0,
           by_chance: float = 0.0, in_sigmas: FloatArray | None = None) -> SensorConsistency:
    """Return the SensorConsistency of whitened innovations (k, channels) of a sensor, a name.

    level: probability with which a filter whose claim is exact counts as consistent; left_out: how
    many more readings there were, which the filter did not use; by_chance: share of right readings
    that its gate leaves out; in_sigmas (k, channels): innovations in units of the declared noise.
    """
    used, channels = innovations.shape
    count = used + left_out
    too_many = count > 1 and bool(
        count_tail(left_out, count, max(_TOLERATED, by_chance)) < 1.0 - level)
    if used < 2:
        # everything is possible, of these
        return SensorConsistency(
            sensor, count, inf if left_out else 1.0, inf, 1.0, inf, 1, 0.0,
            left_out / count if count else 0.0, Cause.NONE, left_out, too_many)
    averages = scales(innovations, level)
    single, *longer = averages
    worst = max(longer, key=lambda scale: scale.excess, default=single)
    squares = np.sum(innovations ** 2, axis=1)
    credible = squares <= chi_square_bound(channels, _INCREDIBLE)
    return SensorConsistency(
        sensor, count, single.ratio, single.bound, worst.ratio, worst.bound, worst.length,
        offset=float(np.linalg.norm(innovations.mean(axis=0))),
        incredible=float(np.sum(~credible) + left_out) / count,
        cause=cause_of(averages, float(np.median(squares)) / chi_square_bound(channels, 0.5)),
        left_out=left_out, too_many_left_out=too_many,
        noise=None if in_sigmas is None else sensor_noise(innovations, in_sigmas))
