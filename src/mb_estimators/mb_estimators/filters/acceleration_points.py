"""What the filters by sigma points of the accelerations share."""

from dataclasses import dataclass

import numpy as np

from mb_estimators.filters.blocks import white_noise_layout
from mb_estimators.filters.model_filter import ModelFilter
from mb_estimators.filters.unscented import new_sigmas
from mb_estimators.kernels.acceleration_points import correct_accelerations, predict_accelerations
from mb_estimators.kernels.mixture import accelerate_by_mean
from mb_estimators.kernels.orientations import follow_with_accelerations
from mb_model import Settings, setting


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


class AccelerationPointFilter(ModelFilter):
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

    def __init__(self, mechanism, sensors, dt, settings, points):
        """Set up at the mechanism's start; points: as in UnscentedFilter, but of zdd (g).

        Raises FilterError, SensorError.
        """
        super().__init__(mechanism, sensors, dt, settings, white_noise_layout(
            mechanism, sensors, settings))
        self._filter['acceleration_psd'][:self._g] = settings.acceleration_psd
        self._sigmas = new_sigmas(self._sizes, *points(self._g, settings))
        self._sigmas['acceleration_variance'][0, :self._g] = settings.acceleration_variance
        self.reset(mechanism.z0, mechanism.zd0)

    def reset(self, z, zd, covariance=None):
        """Start from z, zd (g); see ModelFilter.reset."""
        super().reset(z, zd, covariance)
        sigma, g = self._sigmas[0], self._g
        sigma['step'] = 0.0
        sigma['zdd'] = self._work['zdd']
        sigma['factor'][:g, :g] = np.eye(g) * np.sqrt(self.settings.acceleration_variance)

    @property
    def state(self):
        """See ModelFilter.state; also the sigma points."""
        return super().state | {'sigma': self._sigmas}

    def _follow(self):
        super()._follow()
        if self._orientations.moved:
            follow_with_accelerations(self._models, self._works, self._sigmas,
                                      self._orientations.places, self._orientations.changes)

    def _step(self, dt):
        explicit = self.settings.integrator == 'rk2'
        return predict_accelerations(
            self._models, self._works, self._filters, self._sigmas, explicit, dt)

    def act(self, inputs):
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

    def _correct(self, readings):
        return correct_accelerations(self._models, self._works, self._channels, self._filters,
                                     self._sigmas, readings)
