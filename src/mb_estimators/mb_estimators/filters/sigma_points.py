"""Sets of sigma points: of zero mean and unit covariance, with weights; and the record of them."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from mb_estimators.filter import FilterError
from mb_estimators.records.filter import SIGMA
from mb_model import Settings, setting
from mb_model.arrays import FloatArray, RecordArray

# (size, settings) -> points (k, size), the first at the origin, and their weights in means (k) and
# in covariances (k)
Points = Callable[[int, Any], tuple[FloatArray, FloatArray, FloatArray]]


@dataclass(frozen=True)
class SymmetricSettings(Settings):
    """Spread and weights of symmetric sigma points."""

    alpha: float = setting(1.0, above=0.0, at_most=1.0, help='Spread of the sigma points')
    beta: float = setting(
        2.0, at_least=0.0, help='Added to the weight of the central point in covariances')
    kappa: float = setting(
        0.0, at_least=0.0, help='Widens the spread: alpha^2 (states + kappa) variances')


@dataclass(frozen=True)
class SimplexSettings(Settings):
    """Weights of sigma points on a simplex."""

    central_weight: float = setting(
        0.0, at_least=0.0, at_most=0.99, help='Weight of the central sigma point')


@dataclass(frozen=True)
class CubatureSettings(Settings):
    """Which polynomials cubature points integrate exactly over a Gaussian."""

    degree: str = setting(
        'third', choices=('third', 'fifth'),
        help='Degree up to which polynomials are integrated exactly: third takes twice as many '
             'points as states, fifth 2 l^2 + 1 for l states, of which some weights are negative '
             'for more than 4')


def new_sigmas(sizes: dict[str, int], unit: FloatArray, mean_weight: FloatArray,
               covariance_weight: FloatArray) -> RecordArray:
    """Return a SIGMA array of unit points and their weights; sizes: of the filter's records."""
    count, size = unit.shape
    sigmas = SIGMA.of(sizes | {'points': count})
    sigma = sigmas[0]
    sigma['count'] = count
    sigma['unit'][:count, :size] = unit
    sigma['mean_weight'][:count] = mean_weight
    sigma['covariance_weight'][:count] = covariance_weight
    return sigmas


def symmetric_points(
        size: int, settings: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the 2 size + 1 points of SymmetricSettings, and their weights.

    Source: Rodriguez et al. 2023, Eqs. (34)-(39).
    """
    square = settings.alpha ** 2 * (size + settings.kappa)      # l + lambda
    spread = np.sqrt(square) * np.eye(size)
    mean_weight = np.full(2 * size + 1, 0.5 / square)
    mean_weight[0] = 1.0 - size / square
    covariance_weight = mean_weight.copy()
    covariance_weight[0] += 1.0 - settings.alpha ** 2 + settings.beta
    return np.vstack([np.zeros(size), spread, -spread]), mean_weight, covariance_weight


def symmetric_points_with_roots(
        size: int, settings: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return symmetric_points, whose weights have roots.  Raises FilterError if one has none."""
    points, mean_weight, covariance_weight = symmetric_points(size, settings)
    if covariance_weight[0] < 0.0:
        raise FilterError(
            'alpha: too small: the central point has the weight '
            f'{covariance_weight[0]:.3g}, which must be >= 0 in a square-root form')
    return points, mean_weight, covariance_weight


def simplex_points(
        size: int, settings: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the size + 2 points of SimplexSettings, and their weights."""
    weights = np.full(size + 2, (1.0 - settings.central_weight) / (size + 1))
    weights[0] = settings.central_weight
    return simplex(size) / np.sqrt(weights[1]), weights, weights


def simplex(size: int) -> FloatArray:
    """Return the origin and the corners of a simplex around it (size + 2, size).

    The squares of each coordinate add up to 1, products of different ones and sums to 0.
    Source: Julier 2003; Rodriguez et al. 2023, Eq. (45).
    """
    points = np.zeros((size + 2, size))
    for j in range(1, size + 1):
        points[1:j + 1, j - 1] = -1.0 / np.sqrt(j * (j + 1))
        points[j + 1, j - 1] = j / np.sqrt(j * (j + 1))
    return points


def cubature_points(
        size: int, settings: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the points of CubatureSettings, the first at the origin, and their weights, twice.

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
