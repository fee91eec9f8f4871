"""ukf_acceleration: unscented Kalman filter with the accelerations as states."""

from dataclasses import dataclass

from mb_estimators.filters.acceleration_points import (
    AccelerationPointFilter,
    AccelerationPointSettings,
)
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_estimators.filters.unscented import SymmetricSettings, symmetric_points_with_roots


@dataclass(frozen=True)
class UkfAccelerationSettings(SymmetricSettings, AccelerationPointSettings, WhiteNoiseSettings,
                              ModelFilterSettings):
    """Unscented filter of the accelerations, of which a step makes velocities and positions."""


class UkfAcceleration(AccelerationPointFilter):
    """The unscented filter of accelerations of Rodriguez et al. 2023, Secs. 4.1 and 4.3."""

    Settings = UkfAccelerationSettings

    def __init__(self, mechanism, sensors, dt, settings):
        """Set up at the mechanism's start.  Raises FilterError, SensorError."""
        super().__init__(mechanism, sensors, dt, settings, symmetric_points_with_roots)
