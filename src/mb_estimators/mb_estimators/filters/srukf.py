"""srukf: square-root form of ukf, whose covariance cannot lose its positive definiteness."""

from dataclasses import dataclass

from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_estimators.filters.unscented import (
    SymmetricSettings,
    UnscentedFilter,
    UnscentedSettings,
    symmetric_points_with_roots,
)


@dataclass(frozen=True)
class SrukfSettings(SymmetricSettings, UnscentedSettings, WhiteNoiseSettings,
                    ModelFilterSettings):
    """Unscented Kalman filter that carries a triangular factor of the covariance."""


class Srukf(UnscentedFilter):
    """The unscented Kalman filter in square-root form (van der Merwe and Wan 2001).

    Unlike there nothing is ever subtracted from the factor: the correction is an array algorithm.
    """

    Settings = SrukfSettings
    takes_mountings = True

    def __init__(self, mechanism, sensors, dt, settings):
        """Set up at the mechanism's start.  Raises FilterError, SensorError."""
        super().__init__(mechanism, sensors, dt, settings, symmetric_points_with_roots,
                         square_root=True)
