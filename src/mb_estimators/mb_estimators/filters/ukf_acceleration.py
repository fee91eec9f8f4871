"""ukf_acceleration: unscented Kalman filter with the accelerations as states."""

from dataclasses import dataclass

from mb_estimators.filters.acceleration_points import (
    AccelerationPointFilter,
    AccelerationPointSettings,
)
from mb_estimators.filters.unscented import SymmetricSettings, symmetric_points, with_roots


@dataclass(frozen=True)
class UkfAccelerationSettings(SymmetricSettings, AccelerationPointSettings):
    """Unscented filter of the accelerations, of which a step makes velocities and positions."""


class UkfAcceleration(AccelerationPointFilter):
    """The unscented filter of accelerations of Rodriguez et al. 2023, Secs. 4.1 and 4.3."""

    Settings = UkfAccelerationSettings

    def _unit_points(self, size):
        return with_roots(*symmetric_points(size, self.settings))
