"""Orientations in filters whose accelerations are states themselves, not errors of a model."""

from functools import cached_property
from typing import Any

from numba import float64
import numpy as np

from mb_estimators.kernels.correction import CORRECTED, SINGULAR
from mb_estimators.kernels.whole_accelerations import (
    begin_turn,
    end_turn,
    follow_motion,
    settle_motion,
)
from mb_model.arrays import FloatArray
from mb_model.kernel_api import bound, new_second_changes


class WholeAccelerations:
    """Of a ModelFilter of z, zd, zdd, whose states f.x are the motion itself.

    A plugin has `_move` and `_take_in` in place of `_step` and `_correct`.  Where orientations are
    degrees of freedom, the mechanism goes along with every step, so that their references can
    follow, and angular accelerations stay in the bodies' frames.
    """

    _keeps_accelerations = True     # from a prediction to the next one, but for noise

    @cached_property
    def _charts(self):
        return np.array(self._orientations.independent, np.int64).reshape(-1, 3)

    @cached_property
    def _turning(self):
        return bool(self._charts.size)

    @cached_property
    def _turned_by(self):
        return np.zeros(self._charts.shape)

    @cached_property
    def _follows(self):
        if not self._turning:
            return super()._follows
        return bound(follow_motion, (self._models, self._works, self._filters,
                                     self._orientations.indices, self._orientations.changes,
                                     new_second_changes(self._models)))

    @cached_property
    def _settles(self):
        return bound(settle_motion, (self._models, self._works, self._filters))

    @cached_property
    def _begins_turn(self):
        return bound(begin_turn, (self._filters, self._g, self._charts, self._turned_by), float64)

    @cached_property
    def _ends_turn(self):
        return bound(end_turn, (self._models, self._works, self._filters, self._charts,
                                self._turned_by, self._orientations.changes))

    def _at_references(self, covariance: Any) -> FloatArray:
        """See ModelFilter; accelerations are zero at the start."""
        if covariance is None:
            covariance = np.diag(self.layout.variances[:self._uncertainty.given])
        return self._orientations.at_references(
            covariance, self._work['zd'][:self._g], np.zeros(self._g), len(covariance))

    def _move(self, dt: float) -> bool:
        """Predict over dt [s]; return False if there is no such motion."""
        raise NotImplementedError

    def _take_in(self, readings: FloatArray) -> int:
        """Correct by readings; return what kernels.correction.correct does."""
        raise NotImplementedError

    def _step(self, dt: float) -> bool:
        if not self._turning:
            return self._move(dt)
        if not self._keeps_accelerations:
            return self._move(dt) and self._settles()
        self._begins_turn(dt)
        return self._move(dt) and self._ends_turn()

    def _correct(self, readings: FloatArray) -> int:
        status = self._take_in(readings)
        if self._turning and status == CORRECTED and not self._settles():
            return SINGULAR
        return status
