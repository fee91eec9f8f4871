"""error_ekf: the multibody model runs freely, the filter estimates its error (simple f_x)."""

from dataclasses import dataclass

from mb_estimators.filters.independent import FormSettings
from mb_estimators.filters.transition import SimpleTransition
from mb_estimators.filters.white_noise import WhiteNoiseFilter, WhiteNoiseSettings
from mb_estimators.kernels.prediction import predict_index3


@dataclass(frozen=True)
class ErrorEkfSettings(FormSettings, WhiteNoiseSettings):
    """Error-state EKF: the model steps with the index-3 formulation, the filter corrects it."""


class ErrorEkf(SimpleTransition, WhiteNoiseFilter):
    """The error-state extended Kalman filter of Rodriguez et al. 2023, Sec. 7.1 (errorEKF).

    States: errors of z and zd, zero after every correction.  The model is integrated by the index-3
    augmented Lagrangian formulation with projections and the trapezoidal rule.  The position
    problem of a correction is solved exactly; the paper also offers the linearised one, Eq. (76).
    """

    Settings = ErrorEkfSettings

    def _step(self, dt):
        return predict_index3(self._models, self._works, self._filters, dt)
