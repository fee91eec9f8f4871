"""ukf: unscented Kalman filter with symmetric sigma points."""

from collections.abc import Sequence
from dataclasses import dataclass

from mb_estimators.filters.rolling import FollowsRolling
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_estimators.filters.unscented import (
    ReuseSettings,
    SymmetricSettings,
    UnscentedFilter,
    UnscentedSettings,
    symmetric_points,
)
from mb_model import Mechanism
from mb_sensors import Sensor


@dataclass(frozen=True)
class UkfSettings(SymmetricSettings, ReuseSettings, UnscentedSettings, WhiteNoiseSettings,
                  ModelFilterSettings):
    """Unscented Kalman filter: twice as many sigma points as states, and one in their centre."""


class Ukf(FollowsRolling, UnscentedFilter):
    """The unscented Kalman filter of Rodriguez et al. 2023, Secs. 4.1 and 4.4 (UKF).

    The one of the review reuses the points of the prediction: `reuse_points`, whose gain leaves out
    the plant noise of the step.  Points drawn anew have it.
    """

    Settings = UkfSettings
    takes_mountings = True

    def __init__(self, mechanism: Mechanism, sensors: Sequence[Sensor], dt: float,
                 settings: UkfSettings) -> None:
        """Set up at the mechanism's start.  Raises FilterError, SensorError."""
        super().__init__(mechanism, sensors, dt, settings, symmetric_points,
                         reuse=settings.reuse_points)
