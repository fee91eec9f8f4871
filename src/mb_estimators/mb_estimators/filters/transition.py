"""The transition f_x of a filter's last prediction, which a smoother goes back by."""

from typing import Any

import numpy as np

from mb_estimators.filters.orientations import Orientations
from mb_model.arrays import FloatArray


class Corrected:
    """Of filters that a smoother goes back over: see Smoothable."""

    _filter: Any            # the record of a ModelFilter
    _g: int
    _work: Any
    _orientations: Orientations

    @property
    def correction(self) -> FloatArray:
        """What the last correction has added to all states (l)."""
        f = self._filter
        if not f['count']:
            return np.zeros(f['states'])
        added = f['dx'][:f['states']].copy()
        if self._orientations.moved:
            added = self._orientations.carried_correction(
                added, self._work['zd'][:self._g], bool(f['motion'] == 3 * self._g))
        return added

    @property
    def reference_change(self) -> FloatArray | None:
        """See Smoothable."""
        f = self._filter
        return self._orientations.change(int(f['states']), bool(f['motion'] == 3 * self._g))

    def _carried(self, crossed):
        """Return a covariance of states before and after a step, with references that followed."""
        change = self.reference_change
        return crossed if change is None else crossed @ change.T


class SimpleTransition(Corrected):
    """Of filters to which accelerations do not depend on the state.

    f_x = [I, hI; 0, I], biases stay: Rodriguez et al. 2023, Eq. (50).
    """

    def cross_covariance(self, before: FloatArray, dt: float) -> FloatArray:
        """Return P f_x^T of a step dt [s], P being the covariance before it; see Smoothable."""
        g, f_x = self._g, np.eye(len(before))
        f_x[:g, g:2 * g] = dt * np.eye(g)
        return self._carried(before @ f_x.T)


class ExactTransition(Corrected):
    """Of filters that know how the accelerations depend on the state; f_x is in their record."""

    def cross_covariance(self, before: FloatArray, dt: float) -> FloatArray:
        """Return P f_x^T of the last step, P being the covariance before it; see Smoothable."""
        f_x = self._filter['transition'][:len(before), :len(before)]
        return self._carried(before @ f_x.T)
