"""ssukf: unscented Kalman filter with the fewest sigma points, on a spherical simplex."""

from dataclasses import dataclass

import numpy as np

from mb_estimators.filters.rolling import FollowsRolling
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_estimators.filters.unscented import ReuseSettings, UnscentedFilter, UnscentedSettings
from mb_model import Settings, setting


@dataclass(frozen=True)
class SimplexSettings(Settings):
    """Weights of sigma points on a simplex."""

    central_weight: float = setting(
        0.0, at_least=0.0, at_most=0.99, help='Weight of the central sigma point')


@dataclass(frozen=True)
class SsukfSettings(SimplexSettings, ReuseSettings, UnscentedSettings, WhiteNoiseSettings,
                    ModelFilterSettings):
    """Spherical simplex unscented Kalman filter: two sigma points more than states."""


class Ssukf(FollowsRolling, UnscentedFilter):
    """The spherical simplex unscented filter of Rodriguez et al. 2023, Sec. 4.2 (SSUKF)."""

    Settings = SsukfSettings
    takes_mountings = True

    def __init__(self, mechanism, sensors, dt, settings):
        """Set up at the mechanism's start.  Raises FilterError, SensorError."""
        super().__init__(mechanism, sensors, dt, settings, simplex_points,
                         reuse=settings.reuse_points)


def simplex_points(size, settings):
    """Return the size + 2 points of SimplexSettings, and their weights."""
    weights = np.full(size + 2, (1.0 - settings.central_weight) / (size + 1))
    weights[0] = settings.central_weight
    return simplex(size) / np.sqrt(weights[1]), weights, weights


def simplex(size):
    """Return the origin and the corners of a simplex around it (size + 2, size).

    The squares of each coordinate add up to 1, products of different ones and sums to 0.
    Source: Julier 2003; Rodriguez et al. 2023, Eq. (45).
    """
    points = np.zeros((size + 2, size))
    for j in range(1, size + 1):
        points[1:j + 1, j - 1] = -1.0 / np.sqrt(j * (j + 1))
        points[j + 1, j - 1] = j / np.sqrt(j * (j + 1))
    return points
