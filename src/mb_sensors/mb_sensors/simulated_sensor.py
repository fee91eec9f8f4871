"""A sensor of a simulated machine: from true values to readings, as late as the real one's."""

from collections import deque
from collections.abc import Sequence
from math import isnan

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray
from mb_sensors.faults import FaultSettings, SensorDelay, SensorFaults
from mb_sensors.noise import SensorNoise
from mb_sensors.sampling import NANOSECONDS, is_due, reading_stamp, readings_between
from mb_sensors.sensor import NoiseSettings, Sensor

# Readings are taken between states that are at most this far apart, or that many of the periods
# before.
_SHORT_GAP = NANOSECONDS // 10
_PERIODS = 5
SentReading = tuple[Sensor, int, Sequence[float] | FloatArray]     # sensor, stamp [ns], values


class SimulatedSensor:
    """Takes readings of the truth when they are due and hands them out after the sensor's delay."""

    def __init__(self, sensor: Sensor, seed: int, faults: FaultSettings | None = None) -> None:
        """Set up for a Sensor; the seed and the sensor's name decide the noise.

        faults: FaultSettings; None for a sensor that never fails.
        """
        self.sensor, self.seed = sensor, seed
        self.taken = 0
        self.dropped = 0
        self.missed = 0         # readings that were due where the truth was missing
        self.faults: list[str] = []      # that the newest reading had, in words
        self.noise = SensorNoise(sensor.settings, seed, sensor.name, sensor.is_rotation)
        self.before: int | None = None      # the stamp up to which readings are taken [ns]
        self.shortest: int | None = None    # time between two stamps of the truth [ns]
        self._period = 0        # between the last two [ns]
        self._truth: FloatArray | None = None       # at that stamp
        self.fault_settings = faults or FaultSettings()
        self._faults = SensorFaults(self.fault_settings, seed, sensor.name)
        self._delay = SensorDelay(sensor.settings, seed, sensor.name)
        self._stamped_at_arrival = sensor.settings.stamped_at_arrival
        self._waiting: deque[tuple[int, SentReading]] = deque()

    def rehearse(self) -> None:
        """Make a reading and forget it, so that all is compiled afterwards."""
        self.noise.reading(0, np.zeros(len(self.sensor.channels)))
        self._faults.spike(0)

    def with_settings(self, noise: NoiseSettings | None = None,
                      faults: FaultSettings | None = None) -> 'SimulatedSensor':
        """Return the sensor with other NoiseSettings or FaultSettings, to continue from here."""
        sensor = self.sensor.with_settings(noise or self.sensor.settings)
        other = SimulatedSensor(sensor, self.seed, faults or self.fault_settings)
        other.taken, other.dropped, other.faults = self.taken, self.dropped, self.faults
        other.missed, other.shortest = self.missed, self.shortest
        other.before, other._truth, other._period = self.before, self._truth, self._period
        other._faults.last, other._delay.last = self._faults.last, self._delay.last
        other._waiting = self._waiting
        return other

    def due(self, stamp: int) -> list[tuple[int, int]]:
        """Return [(number, stamp [ns])] of the readings that are due since the stamp before.

        Each is due at the instant of its number at the rate, not at a stamp of the truth; at
        `stamp` if that is its instant but for rounding.  Stamps that do not advance give none.
        If the truth is missing, readings due before `stamp` are counted and not taken.
        """
        before, rate = self.before, self.sensor.rate
        if before is not None and stamp <= before:
            return []
        self.before = stamp
        if before is not None:
            longest, self._period = max(_SHORT_GAP, _PERIODS * self._period), stamp - before
            self.shortest = min(self.shortest or self._period, self._period)
            if self._period > longest:
                there = readings_between(None, stamp, rate)
                self.missed += len(readings_between(before, stamp, rate)) - len(there)
                before = None
        return [(number, stamp if is_due(number, stamp, rate) else reading_stamp(number, rate))
                for number in readings_between(before, stamp, rate)]

    def take(self, stamp: int, truth: ArrayLike) -> bool:
        """Take the readings that are due up to a stamp [ns], with the true values (channels) there.

        Before it, on a straight line from the true values before.  Returns whether there is one.
        Nothing is taken or kept of a stamp that does not advance.
        """
        before, first = self.before, self._truth
        if before is not None and stamp <= before:
            return False
        due, self._truth = self.due(stamp), np.array(truth, dtype=np.float64)
        sent = [self.send(at, number, self.noise.reading(number, self._truth if at == stamp else (
            first + (at - before) / (stamp - before) * (self._truth - first)  # type: ignore[operator]
            )).tolist())
            for number, at in due]
        return any(sent)

    def send(self, stamp: int, number: int, values: Sequence[float] | FloatArray) -> bool:
        """Send a reading, taken at a stamp [ns], with its faults.

        values: noisy ones (channels), NaN if it dropped out.  Returns whether there is one.
        """
        arrival = self._delay.arrival(stamp, number)
        self.faults = self._faults.present(stamp)
        sent = self._faults.reading(self.faults, number, self.sensor.as_read(values))
        if sent is None or any(map(isnan, sent)):
            self.dropped += 1
            return False
        self.taken += 1
        stamp = arrival if self._stamped_at_arrival else stamp
        self._waiting.append((arrival, (self.sensor, stamp, sent)))
        return True

    def release(self, now: int) -> list[SentReading]:
        """Return the readings that arrive by the time `now` [ns]: (Sensor, stamp, values)."""
        arrived, waiting = [], self._waiting
        while waiting and waiting[0][0] <= now:
            arrived.append(waiting.popleft()[1])
        return arrived

    def release_all(self) -> list[SentReading]:
        """Return all readings that are still to arrive."""
        arrived = [reading for _, reading in self._waiting]
        self._waiting.clear()
        return arrived
