"""shaping_error_ekf_fe: error_ekf_fe with coloured noise of its plant, and of sensors."""

from dataclasses import dataclass
from math import exp

import numpy as np

from mb_estimators.filter import FilterError
from mb_estimators.filters.error_ekf_fe import ErrorEkfFe
from mb_estimators.filters.estimated_force import ForceSettings
from mb_estimators.kernels.correction import CORRECTED
from mb_estimators.kernels.shaping import colour, learn_weights, stationary
from mb_estimators.records.filter import MAX_BIASES
from mb_estimators.records.shaping import SHAPING
from mb_model.settings import setting


@dataclass(frozen=True)
class ShapingErrorEkfFeSettings(ForceSettings):
    """Error-state EKF with force estimation whose accelerations are disturbed by coloured noise."""

    correlation_time: float = setting(
        0.0, unit='s', at_least=0.0,
        help='Correlation time of the noise of the accelerations, to begin with; 0: white')
    window: int = setting(
        200, at_least=0, at_most=1_000_000,
        help='Readings in which wholly correlated innovations would make white noise last for '
             'ever: more are smoother, fewer follow changes sooner; 0: correlation_time stays')
    coloured_sensors: tuple[str, ...] = setting(
        (), help='Sensors whose noise is coloured, for the greater part')
    sensor_correlation_time: float = setting(
        0.1, unit='s', above=0.0, help='Correlation time of that noise')
    coloured_share: float = setting(
        0.95, above=0.0, at_most=0.9999,
        help='Part of the variance of such a sensor that is coloured; the rest is white')


class ShapingErrorEkfFe(ErrorEkfFe):
    """The errorEKF with a shaping filter of Rodriguez et al. 2023, Sec. 11.1 (errorEKF_FE_SH).

    acceleration_variance is that of the white noise which a step dt brings in; what it has brought
    in lasts.  Coloured noises are the last states, behind the biases of sensors.
    """

    Settings = ShapingErrorEkfFeSettings

    def _set_up(self, record):
        super()._set_up(record)
        settings = self.settings
        channels = self._coloured_channels()
        self._shapings = np.zeros(1, SHAPING)
        shaping, count = self._shapings[0], self._g + len(channels)
        shaping['count'], shaping['first'] = count, len(self._biases)
        if len(self._biases) + count > MAX_BIASES:
            raise FilterError(f'{len(self._biases) + count} biases and coloured noises, at most '
                              f'{MAX_BIASES} possible')
        record['biases'] += count
        record['states'] += count
        record['bias_of'][channels] = shaping['first'] + self._g + np.arange(len(channels))
        shaping['window'] = settings.window
        shaping['disturbs'][:count] = [*range(self._g), *[-1] * len(channels)]
        shaping['variance'][:self._g] = settings.acceleration_variance
        shaping['variance'][self._g:count] = (
            settings.coloured_share * record['sensor_variance'][channels]
            * (1.0 - _weight(self.dt, settings.sensor_correlation_time) ** 2))
        record['sensor_variance'][channels] *= 1.0 - settings.coloured_share

    def _coloured_channels(self):
        """Return the places of the channels with coloured noise.  Raises FilterError."""
        named, places, place = set(self.settings.coloured_sensors), [], 0
        for sensor in self.sensors:
            if sensor.name in named:
                if sensor.settings.bias_sigma > 0.0:
                    raise FilterError(f'coloured_sensors: {sensor.name} has a bias (bias_sigma '
                                      '> 0), and cannot have coloured noise as well')
                places += range(place, place + len(sensor.channels))
            place += len(sensor.channels)
        unknown = named - {sensor.name for sensor in self.sensors}
        if unknown:
            raise FilterError(f'coloured_sensors: {min(unknown)} is no sensor of this filter, '
                              f'expected some of {", ".join(s.name for s in self.sensors)}')
        return places

    def _set_plant_noise(self, record):
        """Leave the walk of the accelerations to the coloured noise: Eq. (102)."""

    def _set_covariance(self, covariance):
        super()._set_covariance(covariance)
        shaping, settings = self._shapings[0], self.settings
        shaping['weight'][:self._g] = _weight(self.dt, settings.correlation_time)
        shaping['weight'][self._g:] = _weight(self.dt, settings.sensor_correlation_time)
        shaping['before'] = 0.0
        for c in range(shaping['count']):
            place = self._states + shaping['first'] + c
            self._filter['P'][place, place] = stationary(shaping, c)

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
