"""Error-state EKFs with the exact Jacobian of the transition: error_ekf_ej, h_infinity."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.parts import CoordinateNoise, ExactTransition, WhiteNoise
from mb_estimators.filters.shared_settings import (
    CoordinateNoiseSettings,
    FormSettings,
    ModelFilterSettings,
    WhiteNoiseSettings,
)
from mb_estimators.kernels.covariance import guard
from mb_estimators.kernels.exact_prediction import predict_index3_exact
from mb_model import setting
from mb_model.arrays import FloatArray


@dataclass(frozen=True)
class ErrorEkfEjSettings(FormSettings, CoordinateNoiseSettings, WhiteNoiseSettings,
                         ModelFilterSettings):
    """Error-state EKF that knows how the accelerations depend on positions and velocities."""


class ExactErrors(WhiteNoise):
    """Of ModelFilters whose errors of z and zd change the accelerations."""

    Settings = ErrorEkfEjSettings
    takes_mountings = True
    _predict_kernel = staticmethod(predict_index3_exact)


class ErrorEkfEj(CoordinateNoise, ExactErrors, ExactTransition, ModelFilter):
    """The error-state EKF of Rodriguez et al. 2023, Sec. 7.2 (errorEKF_EJ).

    Like error_ekf, but errors of z and zd change the accelerations: velocity readings alone reveal
    the position then.
    """


@dataclass(frozen=True)
class HInfinitySettings(WhiteNoiseSettings, ModelFilterSettings):
    """H-infinity filter: for noise that is not white, whose worst course is bounded."""

    gamma: float = setting(
        1.0, unit='rad', above=0.0,
        help='Bound of the error: the root of the sum of its squares over all corrections, where '
             'errors of the start, of accelerations and readings, each in its standard deviations, '
             'have squares that add up to 1.  The smaller, the more readings are followed; '
             'very large, and it is error_ekf_ej')
    velocity_time: float = setting(
        0.0, unit='s', at_least=0.0,
        help='Errors of velocities count as this time of them; 0: positions alone count')
    margin: float = setting(
        0.5, above=0.0, at_most=0.99,
        help='Where the covariance is too large for any filter to have the bound gamma, as at the '
             'start, it is as much larger as makes this share of the largest possible guard')


class HInfinity(ExactErrors, ModelFilter):
    """The H-infinity filter (Simon 2006, Ch. 11) on the errors of a model, as in error_ekf_ej.

    Its P is no covariance but the matrix of the bound, larger than a covariance.  A prediction
    makes it larger before all else, if readings have corrected the state since the one before.
    """

    Settings = HInfinitySettings

    def _prepare(self) -> None:
        super()._prepare()
        weights = [1.0] * self._g
        if self.settings.velocity_time > 0.0:
            weights += [self.settings.velocity_time] * self._g
        self._weights, self._guards = np.array(weights), np.zeros(2)   # whether due; largest gamma
        self._own_records['guards'] = self._guards

    def reset(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from z, zd (g); see ModelFilter.reset."""
        super().reset(z, zd, covariance)
        self._guards[:] = 0.0, self.settings.gamma

    @property
    def gamma(self):
        """The bound that holds since the start: the setting, or what was possible [rad]."""
        return self._guards[1].item()

    def _step(self, dt: float) -> bool:
        if self._guards[0] == 1.0:
            theta = guard(self._filters, self._weights, self.settings.gamma ** -2,
                          self.settings.margin)
            self._guards[:] = 0.0, max(self.gamma, theta ** -0.5)
        return super()._step(dt)

    def _correct(self, readings: FloatArray) -> int:
        status = super()._correct(readings)
        if self._filter['count'] > 0:
            self._guards[0] = 1.0
        return status
