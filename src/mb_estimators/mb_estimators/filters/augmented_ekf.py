"""augmented_ekf: error_ekf_ej with parameters of the model in its state."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.filter.layout import Block
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.parameters import EstimatesParameters, Parameters, ParameterSettings
from mb_estimators.filters.parts import CoordinateNoise, ExactTransition, WhiteNoise
from mb_estimators.filters.shared_settings import (
    CoordinateNoiseSettings,
    ModelFilterSettings,
    WhiteNoiseSettings,
    machine_noise,
)
from mb_estimators.kernels.augmented_steps import correct_augmented, predict_augmented
from mb_estimators.records.parameter import AUGMENTED
from mb_model.arrays import FloatArray
from mb_model.jit import sizes_of


class Augmented(EstimatesParameters, WhiteNoise, ModelFilter):
    """A filter with the states z, zd, biases of sensors, and Parameters, which walk randomly."""

    takes_mountings = True

    def _wanted(self) -> Parameters:
        """Return the parameters that are estimated."""
        return Parameters(self.mechanism, self.settings, AUGMENTED,
                          sizes_of(self.mechanism.model), known_forces=True)

    def _further_blocks(self) -> tuple[Block, ...]:
        self._parameters = self._wanted()
        return (self._parameters.block,)

    def _prepare(self) -> None:
        super()._prepare()
        self._parameters.estimated['first'] = self.layout['parameter'].start

    def reset(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from z, zd (g) with the parameters of the mechanism; see ModelFilter.reset."""
        self._parameters.restart(self._models, self._works)
        self._hold(None)
        super().reset(z, zd, covariance)

    def _hold(self, inputs: ArrayLike | None) -> None:
        """Let known forces (g) act on z, by their gains and offsets."""
        known = np.zeros(self._g) if inputs is None else np.asarray(inputs, dtype=float)
        self._forces_on_z[:] = self._parameters.acting(known)

    def _correct(self, readings: FloatArray) -> int:
        p = self._parameters
        return correct_augmented(
            self._models, self._works, self._channels, self._filters, p.records, p.estimated,
            readings)

    def _further_estimates(self) -> dict[str, Any]:
        span = self.layout['parameter']
        return super()._further_estimates() | self._parameters.estimate(
            self._filter['P'][span, span])


@dataclass(frozen=True)
class AugmentedEkfSettings(ParameterSettings, CoordinateNoiseSettings, WhiteNoiseSettings,
                           ModelFilterSettings):
    """Error-state EKF that estimates masses, lengths, gravity and the like too.

    Of a known force that is measured, `known_forces.<degree of freedom>.gain` and `.offset` are
    parameters, 1 and 0 at first.
    """

    acceleration_psd: float = machine_noise(
        1e-6, unit='rad^2/s^3', grows=1.0,
        help='Power spectral density of the noise of the independent accelerations: what the '
             'parameters do not explain.  The larger, the less is learnt of them')


class AugmentedEkf(CoordinateNoise, ExactTransition, Augmented):
    """The EKF of Rodriguez et al. 2023, Sec. 9, whose state is augmented with parameters.

    States: errors of z, zd, as in error_ekf_ej, biases of sensors, and the parameters, which walk
    randomly.  Their derivatives are exact.  It has no force as a state: that would explain all that
    a parameter does to a motion, and most runs are too short to distinguish the two.
    """

    Settings = AugmentedEkfSettings

    def _step(self, dt: float) -> bool:
        p = self._parameters
        return predict_augmented(
            self._models, self._works, self._filters, p.records, p.estimated, dt)
