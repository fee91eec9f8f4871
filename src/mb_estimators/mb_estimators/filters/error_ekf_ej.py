"""error_ekf_ej: error_ekf with the exact Jacobian of the transition."""

from dataclasses import dataclass

from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.shared_settings import (
    FormSettings,
    ModelFilterSettings,
    WhiteNoiseSettings,
)
from mb_estimators.filters.transition import ExactTransition
from mb_estimators.filters.white_noise import WhiteNoise
from mb_estimators.kernels.exact_prediction import predict_index3_exact


@dataclass(frozen=True)
class ErrorEkfEjSettings(FormSettings, WhiteNoiseSettings, ModelFilterSettings):
    """Error-state EKF that knows how the accelerations depend on positions and velocities."""


class ExactErrors(WhiteNoise):
    """Of ModelFilters whose errors of z and zd change the accelerations."""

    Settings = ErrorEkfEjSettings
    takes_mountings = True
    _predict_kernel = staticmethod(predict_index3_exact)


class ErrorEkfEj(ExactErrors, ExactTransition, ModelFilter):
    """The error-state EKF of Rodriguez et al. 2023, Sec. 7.2 (errorEKF_EJ).

    Like error_ekf, but errors of z and zd change the accelerations: velocity readings alone reveal
    the position then.
    """
