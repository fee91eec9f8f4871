"""dekf_exponential: discrete EKF by exponential integration of motion and covariance."""

from dataclasses import dataclass

from mb_estimators.filter import FilterError
from mb_estimators.filters.blocks import white_noise_layout
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_estimators.filters.transition import ExactTransition
from mb_estimators.kernels.exponential_prediction import predict_exponential
from mb_estimators.kernels.series_prediction import predict_series
from mb_estimators.records.exponential import EXPONENTIAL
from mb_model import setting

_SERIES = {f'order_{order}': order for order in range(5)}


@dataclass(frozen=True)
class DekfExponentialSettings(WhiteNoiseSettings, ModelFilterSettings):
    """Discrete EKF by exponential integration of the linearised model."""

    exponential: str = setting(
        'exact', choices=('exact', *_SERIES),
        help='exact: the matrix exponential, in sub-steps as short as the model needs; order_N: '
             'the series up to the power N in one step, as published: order_0 is forward Euler, '
             'order_1 the method of the paper; stiff springs make them unstable')


class DekfExponential(ExactTransition, ModelFilter):
    """The discrete EKF with exponential integration of Pyrhonen et al. 2023a.

    States: z and zd, matrix-R formulation.
    """

    Settings = DekfExponentialSettings
    takes_mountings = True

    def __init__(self, mechanism, sensors, dt, settings):
        """Set up at the mechanism's start.  Raises FilterError, SensorError."""
        super().__init__(mechanism, sensors, dt, settings, white_noise_layout(
            mechanism, sensors, settings))
        if settings.exponential != 'exact' and mechanism.described.prescribed:
            raise FilterError(f'exponential: {settings.exponential}: not with prescribed '
                              'coordinates: it takes the equations as constant during a step')
        self._filter['acceleration_psd'][:self._g] = settings.acceleration_psd
        self._exponentials = EXPONENTIAL.of(self._sizes)
        self.reset(mechanism.z0, mechanism.zd0)

    def _step(self, dt):
        exponential = self.settings.exponential
        if exponential == 'exact':
            return predict_exponential(
                self._models, self._works, self._filters, self._exponentials, dt)
        return predict_series(
            self._models, self._works, self._filters, dt, _SERIES[exponential])
