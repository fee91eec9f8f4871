"""A sensor of a simulated machine: from true values to readings, as late as the real one's."""

from collections import deque
from math import isnan

import numpy as np

from mb_sensors.delay import SensorDelay
from mb_sensors.faults import FaultSettings, SensorFaults
from mb_sensors.noise import SensorNoise
from mb_sensors.readings import true_values
from mb_sensors.sampling import Sampler


class SimulatedSensor:
    """Takes readings of the truth when they are due and hands them out after the sensor's delay."""

    def __init__(self, sensor, seed, faults=None):
        """Set up for a Sensor; the seed and the sensor's name decide the noise.

        faults: FaultSettings; None for a sensor that never fails.
        """
        self.sensor, self.seed = sensor, seed
        self.taken = 0
        self.dropped = 0
        self.faults = []        # that the newest reading had, in words
        self._sampler = Sampler(sensor.rate)
        self._noise = SensorNoise(sensor.settings, seed, sensor.name)
        self.fault_settings = faults or FaultSettings()
        self._faults = SensorFaults(self.fault_settings, seed, sensor.name)
        self._delay = SensorDelay(sensor.settings, seed, sensor.name)
        self._waiting = deque()

    def rehearse(self, mechanism):
        """Read the mechanism's start and forget it: whatever is to be compiled is so afterwards."""
        q, rest = mechanism.q0[np.newaxis], np.zeros((1, mechanism.n))
        if len(self.sensor.records):
            true_values(mechanism, self.sensor, q, rest, rest)
        self._noise.readings([0], np.zeros((1, len(self.sensor.channels))))
        self._faults.spike(0)

    def with_settings(self, noise=None, faults=None):
        """Return the sensor with other NoiseSettings or FaultSettings, to go on from here."""
        sensor = self.sensor.with_settings(noise or self.sensor.settings)
        other = SimulatedSensor(sensor, self.seed, faults or self.fault_settings)
        other.taken, other.dropped, other.faults = self.taken, self.dropped, self.faults
        if sensor.rate == self.sensor.rate:
            other._sampler = self._sampler
        other._faults.last, other._delay.last = self._faults.last, self._delay.last
        other._waiting = self._waiting
        return other

    def take(self, stamp, truth):
        """Take a reading of the true values (channels) of a stamp [ns], if one is due.

        Returns whether there is one.
        """
        number = self._sampler.due(stamp)
        if number is None:
            return False
        arrival = self._delay.arrival(stamp, number)
        values = self._noise.reading(number, truth)
        self.faults = self._faults.present(stamp)
        values = self._faults.reading(stamp, number, values)
        if values is None or any(map(isnan, values.tolist())):
            self.dropped += 1
            return False
        self.taken += 1
        stamp = arrival if self.sensor.settings.stamped_at_arrival else stamp
        self._waiting.append((arrival, stamp, values))
        return True

    def release(self, now):
        """Return the readings that arrive by the time `now` [ns]: (stamp, values)."""
        arrived = []
        while self._waiting and self._waiting[0][0] <= now:
            arrived.append(self._waiting.popleft()[1:])
        return arrived

    def release_all(self):
        """Return all readings that are still on their way."""
        arrived = [reading[1:] for reading in self._waiting]
        self._waiting.clear()
        return arrived
