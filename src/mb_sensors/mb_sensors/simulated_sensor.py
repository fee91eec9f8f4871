"""A sensor of a simulated machine: from true values to readings, as late as the real one's."""

from collections import deque

import numpy as np

from mb_sensors.noise import SensorNoise
from mb_sensors.readings import true_values
from mb_sensors.sampling import NANOSECONDS, Sampler


class SimulatedSensor:
    """Takes readings of the truth when they are due and hands them out after the sensor's delay."""

    def __init__(self, sensor, seed):
        """Set up for a Sensor; the seed and the sensor's name decide the noise."""
        self.sensor = sensor
        self.taken = 0
        self.dropped = 0
        self._sampler = Sampler(sensor.rate)
        self._noise = SensorNoise(sensor.settings, seed, sensor.name)
        self._delay = round(sensor.settings.delay * NANOSECONDS)
        self._waiting = deque()

    def rehearse(self, mechanism):
        """Read the mechanism's start and forget it: whatever is to be compiled is so afterwards."""
        q, rest = mechanism.q0[np.newaxis], np.zeros((1, mechanism.n))
        if len(self.sensor.records):
            true_values(mechanism, self.sensor, q, rest, rest)
        self._noise.readings([0], np.zeros((1, len(self.sensor.channels))))

    def take(self, stamp, truth):
        """Take a reading of the true values (channels) of a stamp [ns], if one is due."""
        number = self._sampler.due(stamp)
        if number is None:
            return
        values = self._noise.readings([number], np.reshape(truth, (1, -1)))[0]
        if np.isnan(values).any():
            self.dropped += 1
            return
        self.taken += 1
        self._waiting.append((stamp, values))

    def release(self, now):
        """Return the readings that arrive by the time `now` [ns]: (stamp of taking, values)."""
        arrived = []
        while self._waiting and self._waiting[0][0] + self._delay <= now:
            arrived.append(self._waiting.popleft())
        return arrived

    def release_all(self):
        """Return all readings that are still on their way."""
        arrived = list(self._waiting)
        self._waiting.clear()
        return arrived
