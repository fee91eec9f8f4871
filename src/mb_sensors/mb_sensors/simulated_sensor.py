"""A sensor of a simulated machine: from true values to readings, as late as the real one's."""

from collections import deque
from math import isnan

import numpy as np

from mb_sensors.delay import SensorDelay
from mb_sensors.faults import FaultSettings, SensorFaults
from mb_sensors.noise import SensorNoise
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
        self.noise = SensorNoise(sensor.settings, seed, sensor.name)
        self._sampler = Sampler(sensor.rate)
        self.fault_settings = faults or FaultSettings()
        self._faults = SensorFaults(self.fault_settings, seed, sensor.name)
        self._delay = SensorDelay(sensor.settings, seed, sensor.name)
        self._stamped_at_arrival = sensor.settings.stamped_at_arrival
        self._waiting = deque()

    def rehearse(self):
        """Make a reading and forget it: whatever is to be compiled is so afterwards."""
        self.noise.reading(0, np.zeros(len(self.sensor.channels)))
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

    def due(self, stamp):
        """Return the number of the reading to take at a stamp [ns], None if none is due."""
        return self._sampler.due(stamp)

    def take(self, stamp, truth):
        """Take a reading of the true values (channels) of a stamp [ns], if one is due.

        Returns whether there is one.
        """
        number = self.due(stamp)
        return number is not None and self.send(
            stamp, number, self.noise.reading(number, truth).tolist())

    def send(self, stamp, number, values):
        """Let a reading, taken at a stamp [ns], be on its way, and whatever faults make of it.

        values: noisy ones (channels), NaN if it dropped out.  Returns whether there is one.
        """
        arrival = self._delay.arrival(stamp, number)
        self.faults = self._faults.present(stamp)
        values = self._faults.reading(self.faults, number, values)
        if values is None or any(map(isnan, values)):
            self.dropped += 1
            return False
        self.taken += 1
        stamp = arrival if self._stamped_at_arrival else stamp
        self._waiting.append((arrival, (self.sensor, stamp, values)))
        return True

    def release(self, now):
        """Return the readings that arrive by the time `now` [ns]: (Sensor, stamp, values)."""
        arrived, waiting = [], self._waiting
        while waiting and waiting[0][0] <= now:
            arrived.append(waiting.popleft()[1])
        return arrived

    def release_all(self):
        """Return all readings that are still on their way."""
        arrived = [reading for _, reading in self._waiting]
        self._waiting.clear()
        return arrived
