"""The transition f_x of a filter's last prediction, which a smoother goes back by."""

from typing import Any

import numpy as np

from mb_model.arrays import FloatArray


class Corrected:
    """Of filters that a smoother goes back over: see Smoothable."""

    _filter: Any            # the record of a ModelFilter
    _g: int

    @property
    def correction(self) -> FloatArray:
        """What the last correction has added to all states (l)."""
        f = self._filter
        return f['dx'][:f['states']].copy() if f['count'] else np.zeros(f['states'])


class SimpleTransition(Corrected):
    """Of filters to which accelerations do not depend on the state.

    f_x = [I, hI; 0, I], biases stay: Rodriguez et al. 2023, Eq. (50).
    """

    def cross_covariance(self, before: FloatArray, dt: float) -> FloatArray:
        """Return P f_x^T of a step dt [s], P being the covariance before it; see Smoothable."""
        g, f_x = self._g, np.eye(len(before))
        f_x[:g, g:2 * g] = dt * np.eye(g)
        return before @ f_x.T


class ExactTransition(Corrected):
    """Of filters that know how the accelerations depend on the state; f_x is in their record."""

    def cross_covariance(self, before: FloatArray, dt: float) -> FloatArray:
        """Return P f_x^T of the last step, P being the covariance before it; see Smoothable."""
        return before @ self._filter['transition'][:len(before), :len(before)].T
