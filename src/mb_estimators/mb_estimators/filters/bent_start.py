"""Flexible bodies that do not hang at the start of a filter, which is sure that they do."""

import numpy as np

from mb_estimators.filter import Filter
from mb_model import Mechanism

_FAR = 3.0          # standard deviations


class StartWarning(UserWarning):
    """A filter that is surer of its start than the start is right."""


def bent_start(filter_: Filter, mechanism: Mechanism) -> str:
    """Return in words which modes of a Mechanism do not hang at the start of a filter; '' for none.

    Of machines that start at rest.  How far a mode is off is the force that would hold it there
    over its stiffness.  Such a start is a jerk, which a filter that is surer of the mode explains
    by masses and forces.
    """
    if not mechanism.modes or mechanism.zd0.any():
        return ''
    covariance = filter_.estimate.covariance
    still = np.zeros(mechanism.g)
    held = mechanism.inverse_dynamics(mechanism.z0, still, still)
    found = []
    for mode in mechanism.modes:
        k = mechanism.described.forces[mode].stiffness
        unit = mechanism.described.coordinates[mode].unit
        place = mechanism.independent.index(mode)
        off, deviation = held[place] / k, np.sqrt(covariance[place, place])
        if abs(off) > _FAR * deviation:
            found.append(f'start.{mode}: {mechanism.z0[place]:.3g} {unit}, expected about '
                         f'{mechanism.z0[place] - off:.3g} {unit}, as it hangs at rest, or an '
                         f'initial variance for {abs(off):.2g} {unit} (now {deviation:.2g} {unit})')
    return f'{mechanism.file}: {"; ".join(found)}' if found else ''
