"""The noises of plant and sensors as one vector, and which of them are free."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from math import sqrt

import numpy as np

from mb_estimators.filters.channels import biased_channels
from mb_model.arrays import FloatArray
from mb_sensors import Sensor

PLANT = 'acceleration_psd'
_SIGMA, _WALK = '.sigma', '.bias_walk'


@dataclass(frozen=True)
class Noises:
    """Noises as densities of degrees of freedom, walks of biases, then variances of sensors.

    values (g + biases + sensors); names: of the free ones, as a file has them; ties (n, p): 1 where
    a free one is a noise; start (p): logarithms of the free ones at first; plants: how many of them
    are of the plant.
    """

    values: FloatArray
    names: tuple[str, ...]
    ties: FloatArray
    start: FloatArray
    plants: int

    def at(self, logarithms: FloatArray) -> FloatArray:
        """Return all values where the free ones have these logarithms (p)."""
        free = self.ties.any(axis=1)
        return np.where(free, np.exp(self.ties @ logarithms), self.values)

    def fixed(self, name: str, logarithm: float) -> 'Noises':
        """Return the same with a free noise fixed at a value."""
        k = self.names.index(name)
        values = np.where(self.ties[:, k] == 1.0, np.exp(logarithm), self.values)
        rest = [j for j in range(len(self.names)) if j != k]
        return Noises(values, tuple(self.names[j] for j in rest), self.ties[:, rest],
                      self.start[rest], self.plants - (k < self.plants))

    def apart(self, degrees: Sequence[str], logarithms: FloatArray) -> 'Noises':
        """Return the same with a density for each degree of freedom, from logarithms (p)."""
        g, count = len(degrees), len(self.values)
        own = np.eye(count)[:, :g]
        return Noises(self.values, (*(f'{PLANT} of {name}' for name in degrees), *self.names[1:]),
                      np.column_stack([own, self.ties[:, 1:]]),
                      np.r_[np.full(g, logarithms[0]), logarithms[1:]], g)


def noises_of(plant: Mapping[str, Sequence[float]], sensors: Sequence[Sensor],
              words: Sequence[str]) -> Noises:
    """Return the Noises of a filter; plant: name -> its densities, all alike, at first.

    words: patterns of names, <sensor>.sigma, <sensor>.bias_walk.  Noises of the plant are always
    free: they say how far the model is to be trusted, and so what is known of its numbers.
    """
    channels, names = list(biased_channels(sensors)), list(plant)
    owners = {channel: sensor for sensor in sensors for channel in sensor.channels}
    walks = [owners[channel].settings.bias_walk ** 2 for channel in channels]
    densities = [psd for psds in plant.values() for psd in psds]
    values = np.array([*densities, *walks, *(one.settings.variance for one in sensors)])
    of = np.repeat(np.arange(len(plant)), [len(psds) for psds in plant.values()])
    columns, g = [np.r_[of == k, np.zeros(len(values) - len(of), bool)]
                  for k in range(len(plant))], len(of)
    for k, sensor in enumerate(sensors):
        own = [g + j for j, channel in enumerate(channels) if owners[channel] is sensor]
        for name, rows in ((sensor.name + _SIGMA, [g + len(channels) + k]),
                           (sensor.name + _WALK, own)):
            if rows and (values[rows] > 0.0).all() and any(
                    fnmatchcase(name, word) for word in words):
                columns.append(np.isin(np.arange(len(values)), rows))
                names.append(name)
    ties = np.array(columns, float).T
    start = np.log([values[column].max() for column in columns])
    return Noises(values, tuple(names), ties, start, len(plant))


def with_noises(sensors: Sequence[Sensor], values: FloatArray, biases: int,
                densities: int) -> list[Sensor]:
    """Return Sensors with the noises of values as Noises has them; biases: how many there are.

    densities: how many of the plant are before them.
    """
    walks, variances = list(values[densities:densities + biases]), values[densities + biases:]
    others = []
    for sensor, variance in zip(sensors, variances, strict=True):
        settings = sensor.settings
        sigma = sigma_of(sensor, float(variance))
        if settings.bias_sigma > 0.0:
            own = [walks.pop(0) for _ in sensor.channels]
            settings = replace(settings, bias_walk=sqrt(own[0]))
        others.append(sensor.with_settings(replace(settings, sigma=sigma)))
    return others


def sigma_of(sensor: Sensor, variance: float) -> float:
    """Return the sigma of a sensor whose readings have a variance, its resolution's included."""
    rounding = sensor.settings.variance - sensor.settings.sigma ** 2
    return sqrt(max(variance - rounding, 1e-3 * variance))


def said_of(name: str, logarithm: float, sensors: Sequence[Sensor]) -> float:
    """Return what a file says of a free noise: a density, or the root of a variance."""
    if name.endswith(_WALK):
        return float(np.exp(0.5 * logarithm))
    for sensor in sensors:
        if name == sensor.name + _SIGMA:
            return sigma_of(sensor, float(np.exp(logarithm)))
    return float(np.exp(logarithm))
