"""dekf_exponential, and what filters share that step by the exponential of the linearised model."""

from dataclasses import dataclass

from mb_estimators.filter import FilterError
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.parameters import Parameters, ParameterSettings
from mb_estimators.filters.parts import ExactTransition, FollowsRolling, WhiteNoise
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_estimators.kernels.exponential_prediction import (
    EXPONENTIAL,
    predict_exponential,
    predict_series,
)
from mb_estimators.records.parameter import AUGMENTED
from mb_model import Settings, setting
from mb_model.jit import sizes_of

_SERIES = {f'order_{order}': order for order in range(5)}


@dataclass(frozen=True)
class ExponentialSettings(Settings):
    """Of filters that step by the exponential."""

    exponential: str = setting(
        'exact', choices=('exact', *_SERIES),
        help='exact: the matrix exponential, in sub-steps as short as the model needs; order_N: '
             'the series up to the power N in one step, as published: order_0 is forward Euler, '
             'order_1 the method of Pyrhonen et al. 2023a; stiff springs make them unstable')


class ExponentialSteps:
    """Of a ModelFilter with ExponentialSettings: its steps, of parameters among the states too.

    `_parameters`: what is estimated beside the motion; there may be none.
    """

    _parameters: Parameters

    def _prepare(self) -> None:
        super()._prepare()
        mechanism, settings = self.mechanism, self.settings
        if settings.exponential != 'exact' and mechanism.described.prescribed:
            raise FilterError(f'exponential: {settings.exponential}: not with prescribed '
                              'coordinates: it takes the equations as constant during a step')
        e, count = self._parameters.estimated[0], len(self._parameters.names)
        self._exponentials = EXPONENTIAL.of(self._sizes | {'parameters': count})
        own = self._exponentials[0]
        own['count'] = count
        own['first'] = e['first'] = self.layout['parameter'].start
        own['walk'][:count] = e['walk'][:count]

    def _step(self, dt: float) -> bool:
        p, exponential = self._parameters, self.settings.exponential
        arguments = (self._models, self._works, self._filters, self._exponentials, p.records,
                     p.estimated, dt)
        if exponential == 'exact':
            return predict_exponential(*arguments)
        return predict_series(*arguments, _SERIES[exponential])


@dataclass(frozen=True)
class DekfExponentialSettings(ExponentialSettings, WhiteNoiseSettings, ModelFilterSettings):
    """Discrete EKF by exponential integration of the linearised model."""


class DekfExponential(FollowsRolling, ExponentialSteps, ExactTransition, WhiteNoise, ModelFilter):
    """The discrete EKF with exponential integration of Pyrhonen et al. 2023a.

    States: z and zd, matrix-R formulation.
    """

    Settings = DekfExponentialSettings
    takes_mountings = True

    def _prepare(self) -> None:
        self._parameters = Parameters(self.mechanism, ParameterSettings(parameters=()), AUGMENTED,
                                      sizes_of(self.mechanism.model), optional=True)
        super()._prepare()
