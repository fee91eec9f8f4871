"""Readings along a recorded motion as they arrive at an estimator: late, one by one."""

from collections.abc import Iterator, Mapping, Sequence
from heapq import merge

import numpy as np

from mb_model.arrays import FloatArray
from mb_sensors.faults import FaultSettings
from mb_sensors.recorded import RecordedSensor


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


def _arriving(recorded, seed, faults):
    """Yield the same of one sensor."""
    sensor = recorded.sensor
    readings, arrivals = recorded.readings(seed, faults), recorded.arrivals(seed)
    for row in np.flatnonzero(np.isfinite(readings).all(axis=1)):
        arrival = int(arrivals[row])
        stamp = arrival if sensor.settings.stamped_at_arrival else recorded.stamps[row]
        yield arrival, sensor.name, stamp, readings[row]
