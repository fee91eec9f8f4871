"""augmented_ekf: error_ekf_ej with parameters of the model in its state."""

from dataclasses import dataclass

import numpy as np

from mb_estimators.filter import FilterError
from mb_estimators.filters.blocks import white_noise_layout
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.parameters import Parameters, ParameterSettings
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_estimators.filters.transition import ExactTransition
from mb_estimators.kernels.augmented_correction import correct_augmented
from mb_estimators.kernels.augmented_prediction import predict_augmented
from mb_estimators.records.parameter import AUGMENTED
from mb_model import setting
from mb_model.jit import sizes_of


@dataclass(frozen=True)
class AugmentedEkfSettings(ParameterSettings, WhiteNoiseSettings, ModelFilterSettings):
    """Error-state EKF that estimates masses, lengths, gravity and the like too.

    Of a known force that is measured, `known_forces.<degree of freedom>.gain` and `.offset` are
    parameters, 1 and 0 at first.
    """

    acceleration_psd: float = setting(
        1e-6, unit='rad^2/s^3', above=0.0,
        help='Power spectral density of the noise of the independent accelerations: what the '
             'parameters do not explain.  The larger, the less is learnt of them')
    coordinate_psds: tuple[float, ...] = setting(
        (), unit='rad^2/s^3', above=0.0,
        help='Densities of the independent coordinates, one each, in place of acceleration_psd')


class AugmentedEkf(ExactTransition, ModelFilter):
    """The EKF of Rodriguez et al. 2023, Sec. 9, whose state is augmented with parameters.

    States: errors of z, zd, as in error_ekf_ej, biases of sensors, and the parameters, which walk
    randomly.  Their derivatives are exact.  It has no force as a state: that would explain all that
    a parameter does to a motion, and most runs are too short to distinguish the two.
    """

    Settings = AugmentedEkfSettings
    takes_mountings = True

    def __init__(self, mechanism, sensors, dt, settings):
        """Set up at the mechanism's start.  Raises FilterError, SensorError, MechanismError."""
        self._parameters = Parameters(mechanism, settings, AUGMENTED, sizes_of(mechanism.model),
                                      known_forces=True)
        super().__init__(mechanism, sensors, dt, settings, white_noise_layout(
            mechanism, sensors, settings, self._parameters.block))
        self._models = self._models.copy()      # the mechanism's own one stays as it is
        if settings.coordinate_psds and len(settings.coordinate_psds) != self._g:
            raise FilterError(f'coordinate_psds: {len(settings.coordinate_psds)} values, expected '
                              f'one for each of the {self._g} independent coordinates')
        self._filter['acceleration_psd'][:self._g] = (
            settings.coordinate_psds or settings.acceleration_psd)
        self._parameters.estimated['first'] = self.layout['parameter'].start
        self.reset(mechanism.z0, mechanism.zd0)

    def reset(self, z, zd, covariance=None):
        """Start from z, zd (g) with the parameters of the mechanism; see ModelFilter.reset."""
        self._parameters.restart(self._models, self._works)
        super().reset(z, zd, covariance)

    @property
    def state(self):
        """See ModelFilter.state; also the parameters, and the model that has them."""
        return super().state | {
            'model': self._models, 'parameters': self._parameters.records,
            'estimated': self._parameters.estimated}

    def _hold(self, inputs):
        """Let known forces (g) act on z, by their gains and offsets."""
        known = np.zeros(self._g) if inputs is None else np.asarray(inputs, dtype=float)
        self._forces_on_z[:] = self._parameters.acting(known)

    def _step(self, dt):
        p = self._parameters
        return predict_augmented(
            self._models, self._works, self._filters, p.records, p.estimated, dt)

    def _correct(self, readings):
        p = self._parameters
        return correct_augmented(
            self._models, self._works, self._channels, self._filters, p.records, p.estimated,
            readings)

    def _further_estimates(self):
        places = self.layout['parameter']
        return super()._further_estimates() | self._parameters.estimate(
            self._filter['P'][places, places])
