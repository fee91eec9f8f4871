"""Readings that sensors take along a recorded motion, and their order of arrival."""

from collections.abc import Iterator, Mapping, Sequence
from heapq import merge
from typing import Any

import numpy as np

from mb_model import Run
from mb_model.arrays import BoolArray, FloatArray, IntArray
from mb_sensors.faults import FaultSettings, SensorDelay, SensorFaults
from mb_sensors.kind_parts.sensor_kind import SensorError
from mb_sensors.kinds import sensor_kinds
from mb_sensors.noise import SensorNoise
from mb_sensors.readings import true_values
from mb_sensors.sampling import numbers_at
from mb_sensors.sensor import Sensor


class RecordedSensor:
    """A sensor along a Run: its true values are computed once, its noise anew for every seed."""

    def __init__(self, sensor: Sensor, run: Run, stamps: Sequence[int] | IntArray) -> None:
        """Set up for a Sensor of the mechanism of a Run, whose instants have the stamps [ns].

        Raises SensorError for a rate whose readings do not fall on these instants.
        """
        numbers = numbers_at(sensor, [int(stamp) for stamp in stamps])
        due = np.array([number is not None for number in numbers])
        self.sensor = sensor
        self.stamps = list(stamps)
        self._due = due
        self._numbers = np.array([number for number in numbers if number is not None])
        self._truth = _truth(sensor, run, due)

    def readings(self, seed: int, faults: FaultSettings | None = None) -> FloatArray:
        """Return the readings (k, channels) at all instants, NaN where none is due or arrives.

        faults: FaultSettings; None for a sensor that never fails.
        """
        readings = np.full((len(self._due), self._truth.shape[1]), np.nan)
        noise = SensorNoise(self.sensor.settings, seed, self.sensor.name, self.sensor.is_rotation)
        taken = self.sensor.as_read(noise.readings(self._numbers, self._truth))
        readings[self._due] = taken if faults is None else self._failing(taken, seed, faults)
        return readings

    def arrivals(self, seed: int) -> IntArray:
        """Return when the readings of all instants arrive [ns] (k), 0 where none is due."""
        delay = SensorDelay(self.sensor.settings, seed, self.sensor.name)
        arrivals = np.zeros(len(self._due), np.int64)
        arrivals[self._due] = [delay.arrival(stamp, number) for stamp, number in zip(
            self._taken, self._numbers.tolist(), strict=True)]
        return arrivals

    @property
    def _taken(self):
        """The stamps at which readings are due [ns]."""
        return [stamp for stamp, due in zip(self.stamps, self._due, strict=True) if due]

    def _failing(self, taken: Any, seed: int, settings: FaultSettings) -> FloatArray:
        """Return readings (due, channels) with faults."""
        faults = SensorFaults(settings, seed, self.sensor.name)
        failing = np.full_like(taken, np.nan)
        for k, (stamp, number) in enumerate(zip(self._taken, self._numbers, strict=True)):
            values = faults.reading(faults.present(stamp), int(number), taken[k])
            if values is not None:
                failing[k] = values
        return failing


def _truth(sensor: Sensor, run: Run, due: BoolArray) -> FloatArray:
    """Return the readings of a sensor without noise at some instants of a run."""
    kind = sensor_kinds()[sensor.kind]
    if not len(sensor.records):
        if kind.along is None:
            raise SensorError(f'{sensor.name}: a motion does not say what a {sensor.kind} reads')
        try:
            return kind.along(sensor, run, np.flatnonzero(due))
        except ValueError as error:
            raise SensorError(f'{sensor.name}: {error}') from None
    return true_values(run.mechanism, sensor, run.q[due], run.qd[due], run.qdd[due])


def in_order_of_arrival(
        recorded: Sequence[RecordedSensor], seed: int,
        faults: Mapping[str, FaultSettings] | None = None,
        ) -> Iterator[tuple[int, str, int, FloatArray]]:
    """Yield (arrival [ns], sensor's name, stamp [ns], values) of all readings as they arrive.

    recorded: RecordedSensors, in whose order simultaneous readings come; faults:
    {sensor: FaultSettings}.
    """
    faults = faults or {}
    return merge(*(_arriving(one, seed, faults.get(one.sensor.name)) for one in recorded),
                 key=lambda reading: reading[0])


def _arriving(recorded: RecordedSensor, seed: int,
              faults: FaultSettings | None) -> Iterator[tuple[int, str, int, FloatArray]]:
    """Yield the same of one sensor."""
    sensor = recorded.sensor
    readings, arrivals = recorded.readings(seed, faults), recorded.arrivals(seed)
    for row in np.flatnonzero(np.isfinite(readings).all(axis=1)):
        arrival = int(arrivals[row])
        stamp = arrival if sensor.settings.stamped_at_arrival else recorded.stamps[row]
        yield arrival, sensor.name, stamp, readings[row]
