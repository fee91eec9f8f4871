"""augmented_ekf: error_ekf_ej with parameters of the model in its state."""

from dataclasses import dataclass

from mb_estimators.filters.parameters import Parameters, ParameterSettings
from mb_estimators.filters.white_noise import WhiteNoiseFilter, WhiteNoiseSettings
from mb_estimators.kernels.augmented_correction import correct_augmented
from mb_estimators.kernels.augmented_prediction import predict_augmented
from mb_estimators.records.parameter import AUGMENTED
from mb_model.settings import setting


@dataclass(frozen=True)
class AugmentedEkfSettings(ParameterSettings, WhiteNoiseSettings):
    """Error-state EKF that estimates masses, lengths, gravity and the like too."""

    acceleration_psd: float = setting(
        1e-6, unit='rad^2/s^3', above=0.0,
        help='Power spectral density of the noise of the independent accelerations: what the '
             'parameters do not explain.  The larger, the less is learnt of them')


class AugmentedEkf(WhiteNoiseFilter):
    """The EKF of Rodriguez et al. 2023, Sec. 9, whose state is augmented with parameters.

    States: errors of z, zd, as in error_ekf_ej, biases of sensors, and the parameters, which walk
    randomly.  Their derivatives are exact.  It has no force as a state: that would explain all that
    a parameter does to a motion, and take longer to be told apart from it than most runs last.
    """

    Settings = AugmentedEkfSettings

    def _set_up(self, record):
        self._models = self._models.copy()      # the mechanism's own one stays as it is
        self._parameters = Parameters(self.mechanism, self.settings, AUGMENTED)
        super()._set_up(record)
        self._parameters.estimated['first'] = record['states']
        record['states'] += len(self._parameters.names)

    def reset(self, z, zd, covariance=None):
        """Start from z, zd (g) with the parameters of the mechanism; see ModelFilter.reset."""
        self._parameters.restart(self._models, self._works)
        super().reset(z, zd, covariance)

    def _set_covariance(self, covariance):
        super()._set_covariance(covariance)
        places = self._places
        self._filter['P'][places, places] = self._parameters.deviations ** 2

    @property
    def state(self):
        """See ModelFilter.state; also the parameters, and the model that has them."""
        return super().state | {
            'model': self._models, 'parameters': self._parameters.records,
            'estimated': self._parameters.estimated}

    def _step(self, dt):
        p = self._parameters
        return predict_augmented(
            self._models, self._works, self._filters, p.records, p.estimated, dt)

    def _correct(self, readings):
        p = self._parameters
        return correct_augmented(
            self._models, self._works, self._channels, self._filters, p.records, p.estimated,
            readings)

    @property
    def _places(self):
        """The places of the parameters among the states."""
        first = int(self._parameters.estimated['first'][0])
        return range(first, first + len(self._parameters.names))

    def _further_estimates(self):
        first, last = self._places.start, self._places.stop
        return super()._further_estimates() | self._parameters.estimate(
            self._filter['P'][first:last, first:last])
