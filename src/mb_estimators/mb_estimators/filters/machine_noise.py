"""Default noises by the machine: what accelerations may err by, from what they are.

A model errs by a share of its accelerations, whatever it is wrong in: a light lamp, whose arms
would fall with 200 rad/s^2, errs by more than the four-bar linkage, with 7 rad/s^2, that the noises
of the papers are for.  The defaults are of that linkage.  On faster machines variances of
accelerations grow with the square of their accelerations, densities of white noise with the first
power: an error lasts for as long as the machine takes for its motion, less on a faster one.  Whole
decades, rounded down, so that a wrong model has the noises of the right one; slower machines keep
the noises of the papers.

Settings that are given stay as they are.  Hydraulic filters have noises of their own.
"""

from collections.abc import Collection
from math import floor, log10
from typing import Any

import numpy as np

from mb_estimators.filter import needs_hydraulics
from mb_model import Mechanism, MechanismError

_FOUR_BAR = 6.65        # rad/s^2: the typical acceleration of the benchmark linkage
_GRAVITY = 9.81         # m/s^2
_MOST = 4               # decades: more says that the start is far from any rest


def machine_defaults(plugin: type[Any], mechanism: Mechanism,
                     given: Collection[str] = ()) -> dict[str, float]:
    """Return the defaults of a filter's class that differ on a Mechanism, by setting.

    given: names of settings whose defaults do not count.
    """
    powers = {name: described.grows for name, _, described in plugin.Settings.describe()
              if described.grows and name not in given}
    if not powers or needs_hydraulics(plugin):
        return {}
    defaults, typical = plugin.Settings.defaults(), typical_acceleration(mechanism)
    grown = {name: defaults[name] * _growth(typical, power) for name, power in powers.items()}
    return {name: value for name, value in grown.items() if value != defaults[name]}


def growth(mechanism: Mechanism, power: float) -> float:
    """Return how many times as large as the four-bar linkage's a noise is, at least 1.

    power: of the accelerations that it grows with.
    """
    return _growth(typical_acceleration(mechanism), power)


def _growth(typical: float, power: float) -> float:
    return 10.0 ** min(_MOST, floor(power * log10(max(1.0, typical / _FOUR_BAR))))


def typical_acceleration(mechanism: Mechanism) -> float:
    """Return how large accelerations of the degrees of freedom are [rad/s^2 or m/s^2].

    Of the largest of them, at the start: the root of the sum of squares of what gravity would cause
    from each side, what springs and drives cause at rest, and velocities.  0 where there are none.
    """
    try:
        causes = mechanism.accelerations_by_cause(_GRAVITY)
    except MechanismError:
        return 0.0
    largest = float(np.sqrt(np.square(causes).sum(axis=0)).max(initial=0.0))
    return largest if np.isfinite(largest) else 0.0
