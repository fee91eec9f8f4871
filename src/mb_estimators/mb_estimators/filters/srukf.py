"""srukf: square-root form of ukf, whose covariance cannot lose its positive definiteness."""

from dataclasses import dataclass

from mb_estimators.filter import FilterError
from mb_estimators.filters.unscented import (
    SymmetricSettings,
    UnscentedFilter,
    symmetric_points,
)


@dataclass(frozen=True)
class SrukfSettings(SymmetricSettings):
    """Unscented Kalman filter that carries a triangular factor of the covariance."""


class Srukf(UnscentedFilter):
    """The unscented Kalman filter in square-root form (van der Merwe and Wan 2001).

    Unlike there nothing is ever subtracted from the factor: the correction is an array algorithm.
    """

    Settings = SrukfSettings
    _square_root = True

    def _unit_points(self, size):
        unit, mean_weight, covariance_weight = symmetric_points(size, self.settings)
        if covariance_weight[0] < 0.0:
            raise FilterError(
                f'alpha: {self.settings.alpha:g} is too small: the central point has the weight '
                f'{covariance_weight[0]:.3g}, which must be >= 0 in a square-root form')
        return unit, mean_weight, covariance_weight
