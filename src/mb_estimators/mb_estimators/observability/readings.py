"""Readings of sensors along motions, and their differences."""

import numpy as np

from mb_sensors import sensors_of, true_values
from mb_sensors.kernel_api import difference


def readings_along(run, sensors):
    """Return the readings of Sensors along a Run, without noise (k, channels)."""
    own = sensors_of(run.mechanism, [sensor.name for sensor in sensors])
    return np.hstack([true_values(run.mechanism, sensor, run.q, run.qd, run.qdd)
                      for sensor in own])


def reading_difference(sensors, one, other):
    """Return by how much readings are larger than others (k, channels), angles the short way."""
    records = [record for sensor in sensors for record in sensor.records]
    return np.array([[difference(record, *pair) for pair in zip(*columns, strict=True)]
                     for record, *columns in zip(records, one.T, other.T, strict=True)]).T
