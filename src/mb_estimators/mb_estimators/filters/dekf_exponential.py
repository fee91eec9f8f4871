"""dekf_exponential: discrete EKF by exponential integration of motion and covariance."""

from dataclasses import dataclass

from mb_estimators.filters.blocks import white_noise_layout
from mb_estimators.filters.exponential import ExponentialSettings, ExponentialSteps
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.parameters import Parameters, ParameterSettings
from mb_estimators.filters.rolling import FollowsRolling
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_estimators.filters.transition import ExactTransition
from mb_estimators.records.parameter import AUGMENTED
from mb_model.jit import sizes_of


@dataclass(frozen=True)
class DekfExponentialSettings(ExponentialSettings, WhiteNoiseSettings, ModelFilterSettings):
    """Discrete EKF by exponential integration of the linearised model."""


class DekfExponential(FollowsRolling, ExponentialSteps, ExactTransition, ModelFilter):
    """The discrete EKF with exponential integration of Pyrhonen et al. 2023a.

    States: z and zd, matrix-R formulation.
    """

    Settings = DekfExponentialSettings
    takes_mountings = True

    def __init__(self, mechanism, sensors, dt, settings):
        """Set up at the mechanism's start.  Raises FilterError, SensorError."""
        super().__init__(mechanism, sensors, dt, settings, white_noise_layout(
            mechanism, sensors, settings))
        self._prepare_steps(Parameters(mechanism, ParameterSettings(parameters=()), AUGMENTED,
                                       sizes_of(mechanism.model), optional=True))
        self.reset(mechanism.z0, mechanism.zd0)
