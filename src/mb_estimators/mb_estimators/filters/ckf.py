"""ckf: cubature Kalman filter, whose points integrate polynomials over a Gaussian exactly."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from mb_estimators.filters.rolling import FollowsRolling
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_estimators.filters.unscented import ReuseSettings, UnscentedFilter, UnscentedSettings
from mb_model import setting


@dataclass(frozen=True)
class CkfSettings(ReuseSettings, UnscentedSettings, WhiteNoiseSettings, ModelFilterSettings):
    """Cubature Kalman filter: a spherical-radial rule of the third or of the fifth degree."""

    degree: str = setting(
        'third', choices=('third', 'fifth'),
        help='Degree up to which polynomials are integrated exactly: third takes twice as many '
             'points as states, fifth 2 l^2 + 1 for l states, of which some weights are negative '
             'for more than 4')


class Ckf(FollowsRolling, UnscentedFilter):
    """The cubature Kalman filter of Arasaratnam and Haykin 2009, and of Jia, Xin and Cheng 2013.

    Nothing is to be tuned in its points.  The third degree is ukf with alpha 1, beta and kappa 0.
    """

    Settings = CkfSettings

    def __init__(self, mechanism, sensors, dt, settings):
        """Set up at the mechanism's start.  Raises FilterError, SensorError."""
        super().__init__(mechanism, sensors, dt, settings, cubature_points,
                         reuse=settings.reuse_points)


def cubature_points(size, settings):
    """Return the points of CkfSettings, the first at the origin, and their weights, twice.

    Third degree: Arasaratnam and Haykin 2009, with a centre of no weight.  Fifth: the spherical
    rule of Stroud with the radial one of equal moments, as in Jia, Xin and Cheng 2013.
    """
    axes, axis_weight, central = np.sqrt(size) * np.eye(size), 0.5 / size, 0.0
    diagonals = np.empty((0, size))
    if settings.degree == 'fifth':
        axes, axis_weight = np.sqrt(size + 2.0) * np.eye(size), 0.5 * (4 - size) / (size + 2) ** 2
        central = 2.0 / (size + 2)
        diagonals = np.sqrt(0.5 * size + 1.0) * np.array(
            [a + sign * b for a, b in combinations(np.eye(size), 2) for sign in (1.0, -1.0)]
        ).reshape(-1, size)
    weights = np.concatenate([
        [central], np.full(2 * size, axis_weight),
        np.full(2 * len(diagonals), 1.0 / (size + 2) ** 2)])
    return np.vstack([np.zeros(size), axes, -axes, diagonals, -diagonals]), weights, weights
