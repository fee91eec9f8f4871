"""dekf_exponential: discrete EKF by exponential integration, with the exact transition."""

from dataclasses import dataclass

from mb_estimators.filters.transition import ExactTransition
from mb_estimators.filters.white_noise import WhiteNoiseFilter, WhiteNoiseSettings
from mb_estimators.kernels.exponential_prediction import predict_exponential
from mb_model.settings import setting


@dataclass(frozen=True)
class DekfExponentialSettings(WhiteNoiseSettings):
    """Discrete EKF that integrates the motion exactly in its tangent frame."""

    order: int = setting(
        1, at_least=0, at_most=12,
        help='Order of the series of the exponential; 0 is forward Euler, 1 is of second order')


class DekfExponential(ExactTransition, WhiteNoiseFilter):
    """The discrete EKF with exponential integration of Pyrhonen et al. 2023a."""

    Settings = DekfExponentialSettings

    def _step(self, dt):
        return predict_exponential(
            self._models, self._works, self._filters, dt, self.settings.order)
