"""A part of filters of forces: the noise of their plant, and of sensors, is coloured."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.filter.layout import Block
from mb_estimators.filters.channels import unbiased_channels
from mb_estimators.kernels.correction import CORRECTED
from mb_estimators.kernels.shaping import SHAPING, colour, learn_weights, stationary
from mb_model import Mechanism, Settings, setting
from mb_model.arrays import FloatArray, RecordArray
from mb_sensors import Sensor


@dataclass(frozen=True)
class ColouredNoiseSettings(Settings):
    """How long noises last, and which sensors have such a noise."""

    correlation_time: float = setting(
        0.0, unit='s', at_least=0.0,
        help='Correlation time of the noise of the accelerations, to begin with; 0: white')
    initial_noise_variance: float = setting(
        0.0, unit='rad^2/s^4', at_least=0.0,
        help='Variance of that noise at the start; 0: of noise that has lasted for long')
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


class ColouredNoise:
    """Of a ForceFilter with ColouredNoiseSettings.  Source: Rodriguez et al. 2023, Sec. 11.1.

    acceleration_variance is the variance of the white noise which a step dt brings in; what it has
    brought in lasts.  Coloured noises are the last states, behind what is estimated of sensors.
    Stands before the ForceFilter among the bases of a class.
    """

    def _further_blocks(self: Any) -> tuple[Block, ...]:
        settings = self.settings
        self._coloured = unbiased_channels(
            self.sensors, 'coloured_sensors', settings.coloured_sensors)
        plant, sensors = super()._white_noises()  # type: ignore[misc]
        self._shapings = _new_shapings(plant, sensors[self._coloured], self.dt, settings)
        return (*super()._further_blocks(), _noise_block(  # type: ignore[misc]
            self.mechanism, self.sensors, self._coloured, self._shapings[0],
            settings.initial_noise_variance))

    def _white_noises(self: Any) -> tuple[FloatArray, FloatArray]:
        """Return what is left of them: none of the plant, whose noise is coloured, Eq. (102)."""
        plant, sensors = super()._white_noises()  # type: ignore[misc]
        sensors[self._coloured] *= 1.0 - self.settings.coloured_share
        return np.zeros_like(plant), sensors

    def _prepare(self: Any) -> None:
        super()._prepare()  # type: ignore[misc]
        shaping, channels, record = self._shapings[0], self._coloured, self._filter
        self._own_records['shaping'] = self._shapings
        self._start_weights = shaping['weight'].copy()
        first = shaping['first'] = int(record['biases'])
        record['biases'] += self._g + len(channels)
        record['bias_of'][channels] = first + self._g + np.arange(len(channels))

    def reset(self: Any, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None) -> None:
        """Start from z, zd (g), with the weights of the settings; see ModelFilter.reset."""
        super().reset(z, zd, covariance)  # type: ignore[misc]
        self._shapings['weight'][0] = self._start_weights
        for name in ('before', 'products', 'taken'):
            self._shapings[name] = 0

    def _step(self: Any, dt: float) -> bool:
        return super()._step(dt) and colour(  # type: ignore[misc]
            self._models, self._works, self._filters, self._shapings, dt)

    def _correct(self: Any, readings: FloatArray) -> int:
        status = super()._correct(readings)  # type: ignore[misc]
        if status == CORRECTED and self._filter['count'] > 0 and self.settings.window > 0:
            learn_weights(self._filters, self._shapings)
        return status

    @property
    def weights(self: Any) -> FloatArray:
        """Present W of the noise of every degree of freedom (g): what is left after a step dt."""
        return self._shapings['weight'][0, :self._g].copy()


def _weight(dt: float, correlation_time: float) -> float:
    """Return W = exp(-dt / tau), Eq. (98)."""
    return exp(-dt / correlation_time) if correlation_time > 0.0 else 0.0


def _new_shapings(plant: FloatArray, variances: FloatArray, dt: float,
                  settings: ColouredNoiseSettings) -> RecordArray:
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


def _noise_block(mechanism: Mechanism, sensors: Sequence[Sensor], channels: Sequence[int],
                 shaping: Any, initial_variance: float) -> Block:
    """Return the block of the coloured noises: of all degrees of freedom, then of channels.

    initial_variance: of the noises of degrees of freedom, 0: as they last.
    """
    read = [(channel, sensor.unit) for sensor in sensors for channel in sensor.channels]
    names = [*(f'{name} acceleration' for name in mechanism.independent),
             *(read[c][0] for c in channels)]
    units = [*(f'{mechanism.unit(name)}/s^2' for name in mechanism.independent),
             *(read[c][1] for c in channels)]
    variances = np.array([stationary(shaping, c) for c in range(len(names))])
    if initial_variance > 0.0:
        variances[:mechanism.g] = initial_variance
    return Block('coloured noise', tuple(f'noise of {name}' for name in names), tuple(units),
                 variances)
