"""error_ekf_ej: error_ekf with the exact Jacobian of the transition."""

from dataclasses import dataclass

from mb_estimators.filters.independent import FormSettings
from mb_estimators.filters.transition import ExactTransition
from mb_estimators.filters.white_noise import WhiteNoiseFilter, WhiteNoiseSettings
from mb_estimators.kernels.prediction import predict_index3_exact


@dataclass(frozen=True)
class ErrorEkfEjSettings(FormSettings, WhiteNoiseSettings):
    """Error-state EKF that knows how the accelerations depend on positions and velocities."""


class ErrorEkfEj(ExactTransition, WhiteNoiseFilter):
    """The error-state EKF of Rodriguez et al. 2023, Sec. 7.2 (errorEKF_EJ).

    Like error_ekf, but errors of z and zd change the accelerations by A and B: velocity readings
    alone reveal the position then.
    """

    Settings = ErrorEkfEjSettings

    def _step(self, dt):
        return predict_index3_exact(self._models, self._works, self._filters, dt)
