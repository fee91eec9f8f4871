"""Filters by sigma points of z and zd: ukf, srukf, ssukf, ckf differ in their points."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.filter import FilterError
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.parts import Corrected, FollowsRolling, WhiteNoise
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_estimators.filters.sigma_points import (
    CubatureSettings,
    SimplexSettings,
    SymmetricSettings,
    cubature_points,
    new_sigmas,
    simplex_points,
    symmetric_points,
    symmetric_points_with_roots,
)
from mb_estimators.kernels.orientations import follow_with_points
from mb_estimators.kernels.unscented_correction import correct_unscented
from mb_estimators.kernels.unscented_prediction import predict_unscented, walk_factor
from mb_model import Settings, setting
from mb_model.arrays import FloatArray
from mb_model.kernel_api import RK2, RK4

INTEGRATORS = {'trapezoidal': np.empty((0, 0)), 'rk2': RK2, 'rk4': RK4}    # tableaux


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


class UnscentedFilter(Corrected, WhiteNoise, ModelFilter):
    """A filter whose uncertainty travels as sigma points of z, zd and biases of sensors.

    A plugin says which points.  Matrix-R formulation.  Points that the mechanism cannot reach are
    brought nearer to the centre until it can.
    """

    takes_mountings = True
    _points = staticmethod(symmetric_points)
    _square_root = False        # whether to carry the factor of P, not P

    def _prepare(self) -> None:
        super()._prepare()
        settings, rolling = self.settings, self.mechanism.rolling
        reuse = isinstance(settings, ReuseSettings) and settings.reuse_points
        if reuse and rolling:
            raise FilterError(f'reuse_points: {self.mechanism.name}: not with bodies that roll, '
                              f'here on joints.{rolling[0]}: points may slip, the estimate must '
                              'not; expected false')
        self._sigmas = new_sigmas(self._sizes, *self._points(self.layout.size, settings))
        self._own_records['sigma'] = self._sigmas
        self._sigmas['square_root'], self._sigmas['reuse'] = self._square_root, reuse
        self._tableau = INTEGRATORS[settings.integrator]

    def reset(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from z, zd (g); see ModelFilter.reset."""
        super().reset(z, zd, covariance)
        size = self._filter['states']
        self._sigmas['stepped'] = 0
        self._sigmas['factor'][0, :size, :size] = np.linalg.cholesky(
            self._filter['P'][:size, :size])

    def _follow(self) -> None:
        super()._follow()
        if self._orientations.moved:
            follow_with_points(self._models, self._works, self._filters, self._sigmas,
                               self._orientations.indices, self._orientations.changes)

    def _step(self, dt: float) -> bool:
        return predict_unscented(
            self._models, self._works, self._filters, self._sigmas, self._tableau, dt)

    def _walk_biases(self, dt: float) -> None:
        if self._square_root:
            walk_factor(self._filters, self._sigmas, dt)
        else:
            super()._walk_biases(dt)

    def cross_covariance(self, before: FloatArray, dt: float) -> FloatArray:
        """Return the covariance of the points before and after the last step; see Smoothable.

        Points that the mechanism could not reach count as where they were drawn.
        """
        sigma, size = self._sigmas[0], len(before)
        count = int(sigma['count'])
        drawn = sigma['unit'][:count, :size] @ np.linalg.cholesky(before).T
        stepped = sigma['points'][:count, :size]        # less their mean
        return drawn.T @ (sigma['covariance_weight'][:count, None] * stepped)

    def _correct(self, readings: FloatArray) -> int:
        return correct_unscented(self._models, self._works, self._channels, self._filters,
                                 self._sigmas, readings)


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


@dataclass(frozen=True)
class SrukfSettings(SymmetricSettings, UnscentedSettings, WhiteNoiseSettings,
                    ModelFilterSettings):
    """Unscented Kalman filter that carries a triangular factor of the covariance."""


class Srukf(UnscentedFilter):
    """The unscented Kalman filter in square-root form (van der Merwe and Wan 2001).

    Unlike there nothing is ever subtracted from the factor: the correction is an array algorithm.
    """

    Settings = SrukfSettings
    _points = staticmethod(symmetric_points_with_roots)
    _square_root = True


@dataclass(frozen=True)
class SsukfSettings(SimplexSettings, ReuseSettings, UnscentedSettings, WhiteNoiseSettings,
                    ModelFilterSettings):
    """Spherical simplex unscented Kalman filter: two sigma points more than states."""


class Ssukf(FollowsRolling, UnscentedFilter):
    """The spherical simplex unscented filter of Rodriguez et al. 2023, Sec. 4.2 (SSUKF)."""

    Settings = SsukfSettings
    _points = staticmethod(simplex_points)


@dataclass(frozen=True)
class CkfSettings(CubatureSettings, ReuseSettings, UnscentedSettings, WhiteNoiseSettings,
                  ModelFilterSettings):
    """Cubature Kalman filter: a spherical-radial rule of the third or of the fifth degree."""


class Ckf(FollowsRolling, UnscentedFilter):
    """The cubature Kalman filter of Arasaratnam and Haykin 2009, and of Jia, Xin and Cheng 2013.

    Nothing is to be tuned in its points.  The third degree is ukf with alpha 1, beta and kappa 0.
    """

    Settings = CkfSettings
    _points = staticmethod(cubature_points)
