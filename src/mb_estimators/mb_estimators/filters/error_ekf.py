"""error_ekf: the multibody model runs freely, the filter estimates its error."""

from dataclasses import dataclass

from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.parts import SimpleTransition, WhiteNoise
from mb_estimators.filters.shared_settings import (
    FormSettings,
    ModelFilterSettings,
    WhiteNoiseSettings,
)
from mb_estimators.kernels.prediction import predict_index3


@dataclass(frozen=True)
class ErrorEkfSettings(FormSettings, WhiteNoiseSettings, ModelFilterSettings):
    """Error-state EKF: the model steps with the index-3 formulation, the filter corrects it."""


class ErrorEkf(SimpleTransition, WhiteNoise, ModelFilter):
    """The error-state extended Kalman filter of Rodriguez et al. 2023, Sec. 7.1 (errorEKF).

    States: errors of z and zd, zero after every correction.  The model is integrated by the index-3
    augmented Lagrangian formulation with projections and the trapezoidal rule.  The position
    problem of a correction is solved exactly; the paper also offers the linearised one, Eq. (76).
    """

    Settings = ErrorEkfSettings
    takes_mountings = True
    _begins_accelerated = True
    _predict_kernel = staticmethod(predict_index3)
