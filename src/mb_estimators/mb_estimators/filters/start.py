"""Starts of filters: on another branch than the file's, and of bodies that bend."""

from typing import Any

import numpy as np

from mb_estimators.filter import Filter, FilterError
from mb_estimators.filters.orientations import counted_from, turns_at
from mb_estimators.kernels.start import start
from mb_model import FreeOrientations, Mechanism
from mb_model.arrays import FloatArray

_FAR = 3.0          # standard deviations


class StartNear:
    """Of a ModelFilter that is to start on a branch."""

    def start_near(self: Any, q: FloatArray) -> None:
        """Start near a position (n), on its branch, at the present degrees of freedom.

        Raises FilterError for a singular one, and for an orientation a quarter turn away.
        """
        g, near, P = self._g, np.array(q), self._filter['P'].copy()
        x, free = np.concatenate([view[:g] for view in self._motion[:2]]), FreeOrientations(
            self.mechanism)
        if len(free):
            near[self.mechanism.indices(self.mechanism.independent)[free.indices]] = 0.0
            counted = counted_from(x, g, free.indices, turns_at(free, self._motion[3]),
                                   turns_at(free, near))
            if counted is None:
                raise FilterError(f'{self.mechanism.name}: the start is a quarter turn or more '
                                  'from the start of a branch')
            x = counted
        self._work['q'][:self._n] = self.mechanism.assemble(x[:g], near)
        self._work['zd'][:g] = x[g:]
        if not start(self._models, self._works):
            raise FilterError(f'{self.mechanism.name}: the start is a singular position of a '
                              'branch')
        if self._turns:
            self._follow()
            self._filter['P'][:] = P        # which is of the bodies' frames already


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
    bent = []
    for mode in mechanism.modes:
        k = mechanism.described.forces[mode].stiffness
        unit = mechanism.described.coordinates[mode].unit
        index = mechanism.independent.index(mode)
        off, deviation = held[index] / k, np.sqrt(covariance[index, index])
        if abs(off) > _FAR * deviation:
            bent.append(f'start.{mode}: {mechanism.z0[index]:.3g} {unit}, expected about '
                        f'{mechanism.z0[index] - off:.3g} {unit}, as it hangs at rest, or an '
                        f'initial variance for {abs(off):.2g} {unit} (now {deviation:.2g} {unit})')
    return f'{mechanism.file}: {"; ".join(bent)}' if bent else ''
