"""shaping_error_ekf_fe: error_ekf_fe with coloured noise of its plant, and of sensors."""

from dataclasses import dataclass
from math import exp

import numpy as np

from mb_estimators.filter.layout import Block
from mb_estimators.filters.channels import channel_variances, unbiased_channels
from mb_estimators.filters.estimated_force import ForceFilter, ForceSettings, acceleration_variances
from mb_estimators.filters.shared_settings import ModelFilterSettings
from mb_estimators.filters.transition import ExactTransition
from mb_estimators.kernels.correction import CORRECTED
from mb_estimators.kernels.shaping import SHAPING, colour, learn_weights, stationary
from mb_model import setting


@dataclass(frozen=True)
class ShapingErrorEkfFeSettings(ForceSettings, ModelFilterSettings):
    """Error-state EKF with force estimation whose accelerations are disturbed by coloured noise."""

    correlation_time: float = setting(
        0.0, unit='s', at_least=0.0,
        help='Correlation time of the noise of the accelerations, to begin with; 0: white')
    window: int = setting(
        200, at_least=0, at_most=1_000_000,
        help='Readings in which wholly correlated innovations would make white noise last for '
             'ever: more are smoother, fewer follow changes sooner; 0: correlation_time stays')
    learning: str = setting(
        'continuous', choices=('continuous', 'windows'),
        help='Whether innovations count one by one, or a whole window of them together, after '
             'which the next one begins')
    coloured_sensors: tuple[str, ...] = setting(
        (), help='Sensors whose noise is coloured, for the greater part')
    sensor_correlation_time: float = setting(
        0.1, unit='s', above=0.0, help='Correlation time of that noise')
    coloured_share: float = setting(
        0.95, above=0.0, at_most=0.9999,
        help='Part of the variance of such a sensor that is coloured; the rest is white')


class ShapingErrorEkfFe(ExactTransition, ForceFilter):
    """The errorEKF with a shaping filter of Rodriguez et al. 2023, Sec. 11.1 (errorEKF_FE_SH).

    acceleration_variance is the variance of the white noise which a step dt brings in; what it has
    brought in lasts.  Coloured noises are the last states, behind the biases of sensors.
    """

    Settings = ShapingErrorEkfFeSettings

    def _further_blocks(self):
        mechanism, sensors, settings = self.mechanism, self.sensors, self.settings
        self._coloured = unbiased_channels(sensors, 'coloured_sensors', settings.coloured_sensors)
        self._shapings = _new_shapings(
            acceleration_variances(mechanism, settings, settings.acceleration_variance),
            channel_variances(sensors)[self._coloured], self.dt, settings)
        return (_noise_block(mechanism, sensors, self._coloured, self._shapings[0]),)

    def _prepare(self):
        super()._prepare()
        shaping, channels = self._shapings[0], self._coloured
        self._start_weights = shaping['weight'].copy()
        record, first = self._filter, len(self._biases)
        shaping['first'] = first
        record['biases'] += self._g + len(channels)
        record['bias_of'][channels] = first + self._g + np.arange(len(channels))
        record['acceleration_walk'] = 0.0       # left to the coloured noise: Eq. (102)
        record['sensor_variance'][channels] *= 1.0 - self.settings.coloured_share

    def reset(self, z, zd, covariance=None):
        """Start from z, zd (g), with the weights of the settings; see ModelFilter.reset."""
        super().reset(z, zd, covariance)
        self._shapings['weight'][0] = self._start_weights
        for name in ('before', 'products', 'taken'):
            self._shapings[name] = 0

    @property
    def state(self):
        """See ModelFilter.state; also the coloured noises."""
        return super().state | {'shaping': self._shapings}

    def _step(self, dt):
        return super()._step(dt) and colour(
            self._models, self._works, self._filters, self._shapings, dt)

    def _correct(self, readings):
        status = super()._correct(readings)
        if status == CORRECTED and self._filter['count'] > 0 and self.settings.window > 0:
            learn_weights(self._filters, self._shapings)
        return status

    @property
    def weights(self):
        """Present W of the noise of every degree of freedom (g): what is left after a step dt."""
        return self._shapings['weight'][0, :self._g].copy()


def _weight(dt, correlation_time):
    """Return W = exp(-dt / tau), Eq. (98)."""
    return exp(-dt / correlation_time) if correlation_time > 0.0 else 0.0


def _new_shapings(plant, variances, dt, settings):
    """Return the SHAPING array at the start.

    plant (g): variances of the accelerations; variances: of the coloured noises of sensors.
    """
    g, count = len(plant), len(plant) + len(variances)
    shapings = SHAPING.new(biases=count)
    shaping = shapings[0]
    shaping['count'] = count
    shaping['window'] = settings.window
    shaping['whole'] = settings.learning == 'windows'
    shaping['disturbs'][:count] = [*range(g), *[-1] * len(variances)]
    shaping['variance'][:g] = plant
    shaping['variance'][g:count] = (
        settings.coloured_share * variances
        * (1.0 - _weight(dt, settings.sensor_correlation_time) ** 2))
    shaping['weight'][:g] = _weight(dt, settings.correlation_time)
    shaping['weight'][g:] = _weight(dt, settings.sensor_correlation_time)
    return shapings


def _noise_block(mechanism, sensors, channels, shaping):
    """Return the block of the coloured noises: of all degrees of freedom, then of channels."""
    read = [(channel, sensor.unit) for sensor in sensors for channel in sensor.channels]
    names = [*(f'{name} acceleration' for name in mechanism.independent),
             *(read[c][0] for c in channels)]
    units = [*(f'{mechanism.unit(name)}/s^2' for name in mechanism.independent),
             *(read[c][1] for c in channels)]
    return Block('coloured noise', tuple(f'noise of {name}' for name in names), tuple(units),
                 np.array([stationary(shaping, c) for c in range(len(names))]))
