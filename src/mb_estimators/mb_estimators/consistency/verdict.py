"""The verdict on a filter by the innovations of a sensor, in words.

The observation comes first; then its cause, if it can be named.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
import math
from typing import Any

from mb_estimators.consistency.normalized import chi_square_bound
from mb_estimators.consistency.scales import Scale
from mb_model import Settings, setting


@dataclass(frozen=True)
class ConsistencySettings(Settings):
    """The judgement of a running filter by its innovations."""

    window: float = setting(
        2.0, unit='s', above=0.0, at_most=600.0,
        help='Innovations within this time are judged together')
    period: float = setting(
        1.0, unit='s', at_least=0.001, help='Time from one judgement to the next, by stamps')
    level: float = setting(
        0.9999, above=0.5, at_most=0.999999,
        help='Probability with which a consistent filter passes a judgement of one sensor')


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
    if any(scale.excess > 1.0 and scale.ratio > short.ratio * chance(scale.freedom)
           for scale in scales[1:]):
        return Cause.LASTING
    if short.excess <= 1.0:
        return Cause.NONE
    few = typical - 1.0 < 0.5 * (short.ratio - 1.0)
    return Cause.OUTLIERS if few else Cause.NOISE


def chance(freedom: int) -> float:
    """Return how many times too large averages of white noise may seem, by chance."""
    return chi_square_bound(freedom, _CHANCE) / freedom


def verdict(figures: Any) -> str:
    """Return the inconsistency of a SensorConsistency; empty without one."""
    found = []
    if figures.too_many_left_out:
        found.append(left_out_text(figures.left_out, figures.count))
    if not figures.has_right_size:
        found.append(f'innovations are {_times(figures.nis)} times as large as the filter expects')
    if figures.is_lasting:
        whose = 'their averages' if not figures.has_right_size else 'averages of innovations'
        found.append(f'{whose} over {figures.lasting_length} readings are '
                     f'{_times(figures.lasting)} times as large as white noise has them')
    if figures.is_noisy and figures.has_right_size:
        found.append(f'readings are {_times(figures.noise.variance)} times as noisy as declared')
    if not found:
        return ''
    cause = f', {figures.cause}' if figures.cause else ''
    return f'{figures.sensor}: {" and ".join(found)}{cause}'


def left_out_text(left_out: int, count: int) -> str:
    """Return in words how many readings of a sensor were left out."""
    return (f'all {count} readings were left out' if left_out == count else
            f'{left_out} of {count} readings were left out')


def remark(figures: Any) -> str:
    """Return that a filter is more cautious than it has to be; empty if it is not."""
    if not figures.is_cautious:
        return ''
    return (f'{figures.sensor}: innovations are {_times(figures.nis)} times as large as the filter '
            'expects, its intervals are wider than needed')


def _times(square):
    return f'{math.sqrt(square):.3g}'
