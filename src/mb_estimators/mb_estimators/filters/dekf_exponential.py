"""dekf_exponential: discrete EKF by exponential integration of motion and covariance."""

from dataclasses import dataclass

from mb_estimators.filters.exponential import ExponentialSettings, ExponentialSteps
from mb_estimators.filters.parameters import Parameters, ParameterSettings
from mb_estimators.filters.rolling import FollowsRolling
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_estimators.filters.transition import ExactTransition
from mb_estimators.filters.white_noise import WhiteNoiseFilter
from mb_estimators.records.parameter import AUGMENTED
from mb_model.jit import sizes_of


@dataclass(frozen=True)
class DekfExponentialSettings(ExponentialSettings, WhiteNoiseSettings, ModelFilterSettings):
    """Discrete EKF by exponential integration of the linearised model."""


class DekfExponential(FollowsRolling, ExponentialSteps, ExactTransition, WhiteNoiseFilter):
    """The discrete EKF with exponential integration of Pyrhonen et al. 2023a.

    States: z and zd, matrix-R formulation.
    """

    Settings = DekfExponentialSettings
    takes_mountings = True

    def _prepare(self):
        self._parameters = Parameters(self.mechanism, ParameterSettings(parameters=()), AUGMENTED,
                                      sizes_of(self.mechanism.model), optional=True)
        super()._prepare()
