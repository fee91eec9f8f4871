"""augmented_ekf: error_ekf_ej with parameters of the model in its state."""

from dataclasses import dataclass

from mb_estimators.filter import FilterError
from mb_estimators.filters.augmented import Augmented
from mb_estimators.filters.parameters import Parameters, ParameterSettings
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_estimators.filters.transition import ExactTransition
from mb_estimators.kernels.augmented_steps import predict_augmented
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


class AugmentedEkf(ExactTransition, Augmented):
    """The EKF of Rodriguez et al. 2023, Sec. 9, whose state is augmented with parameters.

    States: errors of z, zd, as in error_ekf_ej, biases of sensors, and the parameters, which walk
    randomly.  Their derivatives are exact.  It has no force as a state: that would explain all that
    a parameter does to a motion, and most runs are too short to distinguish the two.
    """

    Settings = AugmentedEkfSettings

    def __init__(self, mechanism, sensors, dt, settings):
        """Set up at the mechanism's start.  Raises FilterError, SensorError, MechanismError."""
        super().__init__(mechanism, sensors, dt, settings, Parameters(
            mechanism, settings, AUGMENTED, sizes_of(mechanism.model), known_forces=True))
        if settings.coordinate_psds and len(settings.coordinate_psds) != self._g:
            raise FilterError(f'coordinate_psds: {len(settings.coordinate_psds)} values, expected '
                              f'one for each of the {self._g} independent coordinates')
        self._filter['acceleration_psd'][:self._g] = (
            settings.coordinate_psds or settings.acceleration_psd)
        self.reset(mechanism.z0, mechanism.zd0)

    def _step(self, dt):
        p = self._parameters
        return predict_augmented(
            self._models, self._works, self._filters, p.records, p.estimated, dt)
