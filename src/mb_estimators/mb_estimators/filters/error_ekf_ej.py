"""error_ekf_ej: error_ekf with the exact Jacobian of the transition."""

from dataclasses import dataclass

from mb_estimators.filters.blocks import white_noise_layout
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.shared_settings import (
    FormSettings,
    ModelFilterSettings,
    WhiteNoiseSettings,
)
from mb_estimators.filters.transition import ExactTransition
from mb_estimators.kernels.prediction import predict_index3_exact


@dataclass(frozen=True)
class ErrorEkfEjSettings(FormSettings, WhiteNoiseSettings, ModelFilterSettings):
    """Error-state EKF that knows how the accelerations depend on positions and velocities."""


class ExactErrors:
    """Of filters whose errors of z and zd change the accelerations by A and B: ModelFilters."""

    Settings = ErrorEkfEjSettings
    takes_mountings = True
    _predict_kernel = staticmethod(predict_index3_exact)

    def __init__(self, mechanism, sensors, dt, settings):
        """Set up at the mechanism's start.  Raises FilterError, SensorError."""
        super().__init__(mechanism, sensors, dt, settings, white_noise_layout(
            mechanism, sensors, settings))
        self._filter['acceleration_psd'][:self._g] = settings.acceleration_psd
        self._filter['direct'] = settings.form == 'direct'
        super().reset(mechanism.z0, mechanism.zd0)


class ErrorEkfEj(ExactErrors, ExactTransition, ModelFilter):
    """The error-state EKF of Rodriguez et al. 2023, Sec. 7.2 (errorEKF_EJ).

    Like error_ekf, but errors of z and zd change the accelerations: velocity readings alone reveal
    the position then.
    """
