"""Readings from true values; a pure function of seed, sensor and number of the reading.

Nothing is remembered between readings, so they are the same whether they are made in a driver node,
offline in one go, or again in a replay, and whichever of them got lost on the way.
"""

import hashlib
import math

from numba import njit
import numpy as np

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_TO_UNIT = 1.0 / 2.0 ** 53


def stream_key(seed, sensor):
    """Return the 64-bit key of the noise of a sensor."""
    digest = hashlib.blake2b(f'{int(seed)}/{sensor}'.encode(), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, 'little'))


@njit(cache=True)
def uniform(key, index):
    """Return number `index` of the stream `key`, uniform in (0, 1).

    The output function of SplitMix64 at a counter (Steele, Lea and Flood 2014).
    """
    bits = key + (np.uint64(index) + np.uint64(1)) * _GOLDEN
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    bits = bits ^ (bits >> np.uint64(31))
    return (float(bits >> np.uint64(11)) + 0.5) * _TO_UNIT


@njit(cache=True)
def _normal(key, index):
    """Return a standard normal deviate from two numbers of the stream (Box and Muller 1958)."""
    radius = math.sqrt(-2.0 * math.log(uniform(key, index)))
    return radius * math.cos(2.0 * math.pi * uniform(key, index + 1))


@njit(cache=True)
def _read(key, numbers, truth, sigma, bias, resolution, drop_out, readings):
    """Write the readings of true values (k, channels); those that dropped out become NaN."""
    channels = truth.shape[1]
    for i in range(truth.shape[0]):
        index = numbers[i] * (2 * channels + 1)
        dropped = uniform(key, index + 2 * channels) < drop_out
        for j in range(channels):
            value = truth[i, j] + bias[j] + sigma * _normal(key, index + 2 * j)
            if resolution > 0.0:
                value = round(value / resolution) * resolution
            readings[i, j] = math.nan if dropped else value


class SensorNoise:
    """Makes the readings of one sensor."""

    def __init__(self, settings, seed, sensor):
        self.settings = settings
        self._key = stream_key(seed, sensor)
        self._bias_key = stream_key(seed, f'{sensor}/bias')
        self._biases = np.empty(0)
        self._number, self._truth = np.zeros(1, np.int64), np.empty((1, 0))    # of one reading

    def biases(self, channels):
        """Return the constant offsets of so many channels (channels)."""
        if len(self._biases) != channels:
            drawn = [2.0 * uniform(self._bias_key, j) - 1.0 for j in range(channels)]
            self._biases = self.settings.bias + self.settings.drawn_bias * np.array(drawn)
        return self._biases

    def readings(self, numbers, truth):
        """Return readings, numbers (k), of true values (k, channels); NaN if dropped out."""
        numbers = np.asarray(numbers, dtype=np.int64)
        truth = np.ascontiguousarray(truth, dtype=np.float64)
        readings = np.empty_like(truth)
        s = self.settings
        _read(self._key, numbers, truth, s.sigma, self.biases(truth.shape[1]), s.resolution,
              s.drop_out, readings)
        return readings

    def reading(self, number, truth):
        """Return one reading (channels) of true values (channels), as `readings` does."""
        s, self._number[0] = self.settings, number
        channels = len(truth)
        if self._truth.shape[1] != channels:
            self._truth = np.empty((1, channels))
        self._truth[0] = truth
        reading = np.empty((1, channels))
        _read(self._key, self._number, self._truth, s.sigma, self.biases(channels), s.resolution,
              s.drop_out, reading)
        return reading[0]
