"""Readings interpolated to the steps of a filter, which then has one at each of its steps.

A reading is known for the time before it: a straight line from the one before.  So estimates are
late by one period of the sensors, and take the next reading into account.  Neighbours on a line are
no readings of their own: `widened` raises the noise so that the filter gets the information of one
reading in each period.  Source: Pyrhonen et al. 2023b, Sec. 3.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import pi, sqrt
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.filter.sensor_channels import SensorChannels
from mb_estimators.state import state_class
from mb_model.arrays import FloatArray, IntArray
from mb_sensors import NANOSECONDS, Sensor

_LONGEST = 3.5            # periods between readings that are interpolated over
_TURN = 2.0 * pi


def widened(sensors: Sequence[Sensor], dt: float) -> list[Sensor]:
    """Return Sensors with the noise of lines for a filter of steps dt [s]."""
    return [sensor.with_settings(replace(
        sensor.settings, resolution=0.0,
        sigma=sqrt(sensor.settings.variance * max(1.0, 1.0 / (sensor.rate * dt)))))
        for sensor in sensors]


@state_class
class Interpolation:
    """The line through the readings of one sensor, at whole multiples of a step.

    step, longest [ns]: no line is as long; turns: whether values are angles; stamp [ns] and values
    of the last reading, None before the first.
    """

    step: int
    longest: int
    turns: bool
    stamp: int | None = None
    values: np.ndarray | None = None

    @classmethod
    def of(cls, sensor: Sensor, dt: float) -> Self:
        """Return the line of a Sensor at steps dt [s]."""
        return cls(round(dt * NANOSECONDS), round(_LONGEST / sensor.rate * NANOSECONDS),
                   'angle' in sensor.kind)

    def forget(self) -> None:
        """Begin with the next reading."""
        self.stamp = self.values = None

    def add(self, stamp: int, values: ArrayLike) -> list[tuple[int, ArrayLike]]:
        """Add the next reading (channels); return [(stamp [ns], values)] up to it.

        The reading alone where there is none before it, or none lately.
        """
        before, first = self.stamp, self.values
        self.stamp, self.values = stamp, np.array(values, dtype=np.float64)
        if before is None or stamp - before > self.longest:
            return [(stamp, values)]
        change = self.values - first
        if self.turns:      # by the smaller turn
            change -= _TURN * np.floor(change / _TURN + 0.5)
        begin = (before // self.step + 1) * self.step
        return [(at, first + (at - before) / (stamp - before) * change)
                for at in range(begin, stamp + 1, self.step)]


def interpolate(sensors: Sequence[Sensor], stamps: Sequence[int] | IntArray, readings: FloatArray,
                dt: float) -> tuple[IntArray, FloatArray]:
    """Return stamps (m) [ns] and readings (m, channels) on lines through those at stamps (k).

    readings (k, channels), NaN where there is none; dt: step [s] at whose multiples the lines are
    read.
    """
    instants: dict[int, FloatArray] = {}
    slices, width = SensorChannels(sensors).slices, np.shape(readings)[1]
    for sensor in sensors:
        own, line = slices[sensor.name], Interpolation.of(sensor, dt)
        for stamp, row in zip(stamps, readings[:, own], strict=True):
            if np.isfinite(row).all():
                for at, values in line.add(int(stamp), row):
                    instants.setdefault(at, np.full(width, np.nan))[own] = values
    stepped = np.array(sorted(instants))
    return stepped, np.array([instants[stamp] for stamp in stepped])
