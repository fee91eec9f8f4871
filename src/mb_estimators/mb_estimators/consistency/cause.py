"""Causes of innovations larger than a filter claims, as far as innovations show them.

Three patterns can be distinguished; `python -m benchmarks causes` counts how often that is right.
Innovations do not show which error lasts (mass, spring, gravity, force, offset).
"""

from collections.abc import Sequence
from enum import StrEnum

from mb_estimators.consistency.chi_square import chi_square_bound
from mb_estimators.consistency.scales import Scale

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


def chance(freedom: float) -> float:
    """Return how many times too large averages of white noise may seem, by chance."""
    return float(chi_square_bound(freedom, 1.0 - _CHANCE)) / freedom
