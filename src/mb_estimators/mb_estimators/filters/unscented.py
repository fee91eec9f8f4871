"""What the filters by sigma points share."""

from dataclasses import dataclass

import numpy as np

from mb_estimators.filter import FilterError
from mb_estimators.filters.blocks import white_noise_layout
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.transition import Corrected
from mb_estimators.kernels.orientations import follow_with_points
from mb_estimators.kernels.unscented_correction import correct_unscented
from mb_estimators.kernels.unscented_prediction import predict_unscented, walk_factor
from mb_estimators.records.filter import SIGMA
from mb_model import Settings, setting
from mb_model.kernel_api import RK2, RK4

INTEGRATORS = {'trapezoidal': np.empty((0, 0)), 'rk2': RK2, 'rk4': RK4}    # tableaux


@dataclass(frozen=True)
class SymmetricSettings(Settings):
    """Spread and weights of symmetric sigma points."""

    alpha: float = setting(1.0, above=0.0, at_most=1.0, help='Spread of the sigma points')
    beta: float = setting(
        2.0, at_least=0.0, help='Added to the weight of the central point in covariances')
    kappa: float = setting(
        0.0, at_least=0.0, help='Widens the spread: alpha^2 (states + kappa) variances')


@dataclass(frozen=True)
class UnscentedSettings(Settings):
    """Of all filters by sigma points of z and zd."""

    integrator: str = setting(
        'trapezoidal', choices=tuple(INTEGRATORS),
        help='Integrator of the model; the trapezoidal rule is implicit, the others are explicit')


@dataclass(frozen=True)
class ReuseSettings(Settings):
    """Of filters that can save half of their sigma points."""

    reuse_points: bool = setting(
        False, help='Correct with the sigma points of the step before instead of new ones: faster, '
                    'but the gain leaves out the plant noise of the step')


class UnscentedFilter(Corrected, ModelFilter):
    """A filter whose uncertainty travels as sigma points of z, zd and biases of sensors.

    A plugin says which points.  Matrix-R formulation.  Points that the mechanism cannot reach are
    brought nearer to the centre until it can.
    """

    def __init__(self, mechanism, sensors, dt, settings, points, *, reuse=False,
                 square_root=False):
        """Set up at the mechanism's start.  Raises FilterError, SensorError.

        points: (size, settings) -> points of zero mean and unit covariance (k, size), the first at
        the origin, and their weights in means (k) and in covariances (k); reuse: correct with the
        points of the step before; square_root: carry the factor of P, not P.
        """
        if reuse and mechanism.rolling:
            raise FilterError(f'reuse_points: {mechanism.name}: not with bodies that roll, here on '
                              f'joints.{mechanism.rolling[0]}: points may slip, the estimate must '
                              'not; expected false')
        layout = white_noise_layout(mechanism, sensors, settings)
        super().__init__(mechanism, sensors, dt, settings, layout)
        self._filter['acceleration_psd'][:self._g] = settings.acceleration_psd
        self._sigmas = new_sigmas(self._sizes, *points(layout.size, settings))
        self._sigmas['square_root'], self._sigmas['reuse'] = square_root, reuse
        self._square_root = square_root
        self._tableau = INTEGRATORS[settings.integrator]
        self.reset(mechanism.z0, mechanism.zd0)

    def reset(self, z, zd, covariance=None):
        """Start from z, zd (g); see ModelFilter.reset."""
        super().reset(z, zd, covariance)
        size = self._filter['states']
        self._sigmas['stepped'] = 0
        self._sigmas['factor'][0, :size, :size] = np.linalg.cholesky(
            self._filter['P'][:size, :size])

    @property
    def state(self):
        """See ModelFilter.state; also the sigma points."""
        return super().state | {'sigma': self._sigmas}

    def _follow(self):
        super()._follow()
        if self._orientations.moved:
            follow_with_points(self._models, self._works, self._filters, self._sigmas,
                               self._orientations.places, self._orientations.changes)

    def _step(self, dt):
        return predict_unscented(
            self._models, self._works, self._filters, self._sigmas, self._tableau, dt)

    def _walk_biases(self, dt):
        if self._square_root:
            walk_factor(self._filters, self._sigmas, dt)
        else:
            super()._walk_biases(dt)

    def cross_covariance(self, before, dt):
        """Return the covariance of the points before and after the last step; see Smoothable.

        Points that the mechanism could not reach count as where they were drawn.
        """
        sigma, size = self._sigmas[0], len(before)
        count = int(sigma['count'])
        drawn = sigma['unit'][:count, :size] @ np.linalg.cholesky(before).T
        stepped = sigma['points'][:count, :size]        # less their mean
        return drawn.T @ (sigma['covariance_weight'][:count, None] * stepped)

    def _correct(self, readings):
        return correct_unscented(self._models, self._works, self._channels, self._filters,
                                 self._sigmas, readings)


def new_sigmas(sizes, unit, mean_weight, covariance_weight):
    """Return a SIGMA array of unit points and their weights; sizes: of the filter's records."""
    count, size = unit.shape
    sigmas = SIGMA.of(sizes | {'points': count})
    sigma = sigmas[0]
    sigma['count'] = count
    sigma['unit'][:count, :size] = unit
    sigma['mean_weight'][:count] = mean_weight
    sigma['covariance_weight'][:count] = covariance_weight
    return sigmas


def symmetric_points(size, settings):
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


def symmetric_points_with_roots(size, settings):
    """Return symmetric_points, whose weights have roots.  Raises FilterError if one has none."""
    points, mean_weight, covariance_weight = symmetric_points(size, settings)
    if covariance_weight[0] < 0.0:
        raise FilterError(
            'alpha: too small: the central point has the weight '
            f'{covariance_weight[0]:.3g}, which must be >= 0 in a square-root form')
    return points, mean_weight, covariance_weight
