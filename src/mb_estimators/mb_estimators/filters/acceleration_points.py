"""Filters by sigma points of the accelerations: ukf_acceleration, ssukf_acceleration."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.parts import WhiteNoise
from mb_estimators.filters.shared_settings import ModelFilterSettings, WhiteNoiseSettings
from mb_estimators.filters.sigma_points import (
    SimplexSettings,
    SymmetricSettings,
    new_sigmas,
    simplex_points,
    symmetric_points_with_roots,
)
from mb_estimators.kernels.acceleration_points import correct_accelerations, predict_accelerations
from mb_estimators.kernels.orientations import follow_with_accelerations
from mb_estimators.kernels.start import accelerate_by_mean
from mb_model import Settings, setting
from mb_model.arrays import FloatArray


@dataclass(frozen=True)
class AccelerationPointSettings(Settings):
    """Of all filters with accelerations as states."""

    acceleration_variance: float = setting(
        3e5, unit='rad^2/s^4', above=0.0,
        help='Variance of the noise of the independent accelerations in a step: as a step moves '
             'positions little, it takes much of it to follow readings of positions')
    integrator: str = setting(
        'trapezoidal', choices=('trapezoidal', 'rk2'),
        help='Integrator that makes velocities and positions of the accelerations: the '
             'trapezoidal rule is implicit, rk2 is explicit')


class AccelerationPointFilter(WhiteNoise, ModelFilter):
    """A filter whose sigma points are independent accelerations; a plugin says which points.

    Matrix-R formulation.  Source: Rodriguez et al. 2023, Sec. 4.3.

    A step moves positions by h/2 of what it moves velocities, so corrections do too, whatever the
    gain.  That ties the bandwidth omega of a filter that reads positions to its damping ratio,
    h omega / 4: slow enough to average, it would swing for ever, and the variance of the reading's
    noise equals the variance of the corrected position with every gain.  From gyroscopes it
    moves positions next to nothing, too little to put an error at the start right.
    """

    _begins_accelerated = True
    _follows_late = True

    _points: Any            # of zdd (g), see sigma_points.Points

    def _prepare(self) -> None:
        super()._prepare()
        self._sigmas = new_sigmas(self._sizes, *self._points(self._g, self.settings))
        self._own_records['sigma'] = self._sigmas
        self._sigmas['acceleration_variance'][0, :self._g] = self.settings.acceleration_variance

    def reset(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from z, zd (g); see ModelFilter.reset."""
        super().reset(z, zd, covariance)
        sigma, g = self._sigmas[0], self._g
        sigma['step'] = 0.0
        sigma['zdd'] = self._work['zdd']
        sigma['factor'][:g, :g] = np.eye(g) * np.sqrt(self.settings.acceleration_variance)

    def _follow(self) -> None:
        super()._follow()
        if self._orientations.moved:
            follow_with_accelerations(self._models, self._works, self._sigmas,
                                      self._orientations.indices, self._orientations.changes)

    def _step(self, dt: float) -> bool:
        explicit = self.settings.integrator == 'rk2'
        return predict_accelerations(
            self._models, self._works, self._filters, self._sigmas, explicit, dt)

    def act(self, inputs: ArrayLike | None) -> None:
        """See ModelFilter.act: accelerations are states, which change by what the model's do.

        By as much the step has begun with the forces of its begin, not their mean.
        """
        sigma, g = self._sigmas[0], self._g
        states = sigma['zdd'][:g].copy()
        self._accelerate()
        before = self._work['zdd'][:g].copy()
        super().act(inputs)
        change = self._work['zdd'][:g] - before
        sigma['zdd'][:g] += change
        sigma['begin_zdd'][:g] -= change
        accelerate_by_mean(self._models, self._works, states + change)

    def _correct(self, readings: FloatArray) -> int:
        return correct_accelerations(self._models, self._works, self._channels, self._filters,
                                     self._sigmas, readings)


@dataclass(frozen=True)
class UkfAccelerationSettings(SymmetricSettings, AccelerationPointSettings, WhiteNoiseSettings,
                              ModelFilterSettings):
    """Unscented filter of the accelerations, of which a step makes velocities and positions."""


class UkfAcceleration(AccelerationPointFilter):
    """The unscented filter of accelerations of Rodriguez et al. 2023, Secs. 4.1 and 4.3."""

    Settings = UkfAccelerationSettings
    _points = staticmethod(symmetric_points_with_roots)


@dataclass(frozen=True)
class SsukfAccelerationSettings(SimplexSettings, AccelerationPointSettings, WhiteNoiseSettings,
                                ModelFilterSettings):
    """Spherical simplex unscented filter of the accelerations."""


class SsukfAcceleration(AccelerationPointFilter):
    """The spherical simplex filter of accelerations of Rodriguez et al. 2023, Secs. 4.2, 4.3."""

    Settings = SsukfAccelerationSettings
    _points = staticmethod(simplex_points)
