"""srukf: square-root form of ukf, whose covariance cannot lose its positive definiteness."""

from dataclasses import dataclass

from mb_estimators.filters.unscented import (
    SymmetricSettings,
    UnscentedFilter,
    UnscentedSettings,
    symmetric_points,
    with_roots,
)


@dataclass(frozen=True)
class SrukfSettings(SymmetricSettings, UnscentedSettings):
    """Unscented Kalman filter that carries a triangular factor of the covariance."""


class Srukf(UnscentedFilter):
    """The unscented Kalman filter in square-root form (van der Merwe and Wan 2001).

    Unlike there nothing is ever subtracted from the factor: the correction is an array algorithm.
    """

    Settings = SrukfSettings
    _square_root = True

    def _unit_points(self, size):
        return with_roots(*symmetric_points(size, self.settings))
