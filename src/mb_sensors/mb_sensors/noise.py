"""Readings from true values; a pure function of seed, sensor and number of the reading.

There is no state between readings, so they are the same in a driver node, offline in one go, and
in a replay, whichever of them are lost.
"""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray
from mb_model.jit import entry, kernel
from mb_sensors.kind_parts.rotations import composed

if TYPE_CHECKING:
    from mb_sensors.sensor import NoiseSettings

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_TO_UNIT = 1.0 / 2.0 ** 53

NOISE = np.dtype([                      # how the readings of a sensor err, for compiled functions
    ('key', np.uint64), ('sigma', np.float64), ('range', np.float64), ('resolution', np.float64),
    ('drop_out', np.float64), ('rotation', np.int64)])      # 1: readings are a rotation vector


def stream_key(seed: int, sensor: str) -> np.uint64:
    """Return the 64-bit key of the noise of a sensor."""
    digest = hashlib.blake2b(f'{int(seed)}/{sensor}'.encode(), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, 'little'))


@entry
def uniform(key, index):
    """Return number `index` of the stream `key`, uniform in (0, 1).

    The output function of SplitMix64 at a counter (Steele, Lea and Flood 2014).
    """
    bits = key + (np.uint64(index) + np.uint64(1)) * _GOLDEN
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    bits = bits ^ (bits >> np.uint64(31))
    return (float(bits >> np.uint64(11)) + 0.5) * _TO_UNIT


@kernel
def _normal(key, index):
    """Return a standard normal deviate from two numbers of the stream (Box and Muller 1958)."""
    radius = math.sqrt(-2.0 * math.log(uniform(key, index)))
    return radius * math.cos(2.0 * math.pi * uniform(key, index + 1))


@kernel
def _turned(noise, errors, number, truth, reading):
    """Write a rotation vector that is turned further by bias and noise, about its own axes."""
    index = number * 7
    x = errors[0, 0] + noise.sigma * _normal(noise.key, index)
    y = errors[1, 0] + noise.sigma * _normal(noise.key, index + 2)
    z = errors[2, 0] + noise.sigma * _normal(noise.key, index + 4)
    dropped = uniform(noise.key, index + 6) < noise.drop_out
    values = composed((truth[0], truth[1], truth[2]), (x, y, z))
    for j in range(3):
        reading[j] = math.nan if dropped else _rounded(values[j], noise.resolution)


@kernel
def _rounded(value, resolution):
    """Return the nearest multiple of a resolution; 0: the value."""
    return np.rint(value / resolution) * resolution if resolution > 0.0 else value


@entry
def noisy(noise, errors, number, truth, reading):
    """Write the reading with a number of true values (channels); NaN if it dropped out.

    noise: record of NOISE; errors (channels, 1 + channels or more): see SensorNoise.errors.
    """
    channels = truth.size
    if noise.rotation != 0:
        _turned(noise, errors, number, truth, reading)
        return
    index = number * (2 * channels + 1)
    dropped = uniform(noise.key, index + 2 * channels) < noise.drop_out
    for j in range(channels):
        value = 0.0
        for i in range(channels):
            value += errors[j, 1 + i] * truth[i]
        value += errors[j, 0] + noise.sigma * _normal(noise.key, index + 2 * j)
        if noise.range > 0.0:
            value = min(max(value, -noise.range), noise.range)
        reading[j] = math.nan if dropped else _rounded(value, noise.resolution)


@entry
def _read(noise, errors, numbers, truth, readings):
    """Write the readings of true values (k, channels); noise: one record."""
    for i in range(truth.shape[0]):
        noisy(noise[0], errors, numbers[i], truth[i], readings[i])


@entry
def _read_once(noise, errors, number, truth, reading):
    """Write the reading of true values (channels); noise: one record."""
    noisy(noise[0], errors, number, truth, reading)


class SensorNoise:
    """Makes the readings of one sensor."""

    def __init__(self, settings: NoiseSettings, seed: int, sensor: str,
                 rotation: bool = False) -> None:
        """Set up by the NoiseSettings of a sensor, by name.

        rotation: whether its readings are rotation vectors, which have neither scale nor range.
        """
        self.settings = settings
        self.record = np.array([(stream_key(seed, sensor), settings.sigma, settings.range,
                                 settings.resolution, settings.drop_out, int(rotation))], NOISE)
        self._keys = [stream_key(seed, f'{sensor}/{what}') for what in ('bias', 'scale', 'axes')]
        self._errors = np.empty((0, 1))

    def errors(self, channels: int) -> FloatArray:
        """Return the constant errors of so many channels (channels, 1 + channels).

        Readings without noise are the first column plus the others times the true values: offsets,
        scales on the diagonal, and what an axis that leans takes of the others.
        """
        if len(self._errors) != channels:
            settings = self.settings
            bias, scale, lean = (np.array([2.0 * uniform(key, j) - 1.0 for j in range(count)])
                                 for key, count in zip(self._keys, (
                                     channels, channels, channels * channels), strict=True))
            gains = settings.misalignment * lean.reshape(channels, channels)
            np.fill_diagonal(gains, 1.0 + settings.scale + settings.drawn_scale * scale)
            self._errors = np.column_stack([settings.bias + settings.drawn_bias * bias, gains])
        return self._errors

    def readings(self, numbers: ArrayLike, truth: ArrayLike) -> FloatArray:
        """Return readings, numbers (k), of true values (k, channels); NaN if dropped out."""
        numbers = np.asarray(numbers, dtype=np.int64)
        truth = np.ascontiguousarray(truth, dtype=np.float64)
        readings = np.empty_like(truth)
        _read(self.record, self.errors(truth.shape[1]), numbers, truth, readings)
        return readings

    def reading(self, number: int, truth: ArrayLike) -> FloatArray:
        """Return one reading (channels) of true values (channels), as `readings` does."""
        truth = np.ascontiguousarray(truth, dtype=np.float64)
        reading = np.empty_like(truth)
        _read_once(self.record, self.errors(len(truth)), number, truth, reading)
        return reading
