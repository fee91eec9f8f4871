"""Parts that filters around a model are composed of: states, transition, bodies that roll."""

from typing import Any

import numpy as np

from mb_estimators.filter import FilterError
from mb_estimators.filter.layout import Block, Layout, motion_blocks
from mb_estimators.filters.channels import bias_block
from mb_estimators.filters.orientations import Orientations
from mb_estimators.kernels.rolling import hold_bodies
from mb_model.arrays import FloatArray


class WhiteNoise:
    """Of a ModelFilter with WhiteNoiseSettings: states z, zd, biases of sensors, further blocks."""

    def _layout(self: Any) -> Layout:
        return Layout([*motion_blocks(self.mechanism, 2 * [self.settings.initial_variance]),
                       bias_block(self.sensors), *self._further_blocks()])

    def _further_blocks(self) -> tuple[Block, ...]:
        """Return the blocks of states behind the biases."""
        return ()

    def _prepare(self: Any) -> None:
        super()._prepare()  # type: ignore[misc]
        self._filter['acceleration_psd'][:self._g] = self.settings.acceleration_psd


class CoordinateNoise(WhiteNoise):
    """Of one with CoordinateNoiseSettings."""

    def _prepare(self: Any) -> None:
        super()._prepare()
        psds = self.settings.coordinate_psds
        if psds and len(psds) != self._g:
            raise FilterError(f'coordinate_psds: {len(psds)} values, expected one for each of the '
                              f'{self._g} independent coordinates')
        if psds:
            self._filter['acceleration_psd'][:self._g] = psds


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

    def _carried(self, crossed: FloatArray) -> FloatArray:
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


class FollowsRolling:
    """Of a ModelFilter that steps by the matrix-R formulation and carries P.

    Noise, corrections and starts may let bodies slip a little: after each step neither the state
    nor its errors do.
    """

    follows_rolling = True

    def _step(self: Any, dt: float) -> bool:
        """Predict model and covariance over dt [s]; return False if the model cannot step."""
        if not super()._step(dt):  # type: ignore[misc]
            return False
        return not self.mechanism.rolling or hold_bodies(
            self._models, self._works, self._filters)
