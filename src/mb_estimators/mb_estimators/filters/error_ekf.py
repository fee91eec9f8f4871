"""error_ekf: the multibody model runs freely, the filter estimates its error (simple f_x)."""

from collections.abc import Sequence
from dataclasses import dataclass

from mb_estimators.filters.blocks import white_noise_layout
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.shared_settings import (
    FormSettings,
    ModelFilterSettings,
    WhiteNoiseSettings,
)
from mb_estimators.filters.transition import SimpleTransition
from mb_estimators.kernels.prediction import predict_index3
from mb_model import Mechanism
from mb_sensors import Sensor


@dataclass(frozen=True)
class ErrorEkfSettings(FormSettings, WhiteNoiseSettings, ModelFilterSettings):
    """Error-state EKF: the model steps with the index-3 formulation, the filter corrects it."""


class ErrorEkf(SimpleTransition, ModelFilter):
    """The error-state extended Kalman filter of Rodriguez et al. 2023, Sec. 7.1 (errorEKF).

    States: errors of z and zd, zero after every correction.  The model is integrated by the index-3
    augmented Lagrangian formulation with projections and the trapezoidal rule.  The position
    problem of a correction is solved exactly; the paper also offers the linearised one, Eq. (76).
    """

    Settings = ErrorEkfSettings
    takes_mountings = True
    _begins_accelerated = True
    _predict_kernel = staticmethod(predict_index3)

    def __init__(self, mechanism: Mechanism, sensors: Sequence[Sensor], dt: float,
                 settings: ErrorEkfSettings) -> None:
        """Set up at the mechanism's start.  Raises FilterError, SensorError."""
        super().__init__(mechanism, sensors, dt, settings, white_noise_layout(
            mechanism, sensors, settings))
        self._filter['acceleration_psd'][:self._g] = settings.acceleration_psd
        self._filter['direct'] = settings.form == 'direct'
        self.reset(mechanism.z0, mechanism.zd0)
