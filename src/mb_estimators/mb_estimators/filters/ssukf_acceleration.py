"""ssukf_acceleration: ukf_acceleration with the fewest sigma points."""

from dataclasses import dataclass

from mb_estimators.filters.acceleration_points import (
    AccelerationPointFilter,
    AccelerationPointSettings,
)
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_estimators.filters.ssukf import SimplexSettings, simplex_points


@dataclass(frozen=True)
class SsukfAccelerationSettings(SimplexSettings, AccelerationPointSettings, WhiteNoiseSettings,
                                ModelFilterSettings):
    """Spherical simplex unscented filter of the accelerations."""


class SsukfAcceleration(AccelerationPointFilter):
    """The spherical simplex filter of accelerations of Rodriguez et al. 2023, Secs. 4.2, 4.3."""

    Settings = SsukfAccelerationSettings

    def __init__(self, mechanism, sensors, dt, settings):
        """Set up at the mechanism's start.  Raises FilterError, SensorError."""
        super().__init__(mechanism, sensors, dt, settings, simplex_points)
