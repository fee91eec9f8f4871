"""What is odd about the readings of a log, and what cannot be."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mb_model.file_api import Spilled
from mb_sensors.imported.column_settings import Columns, SensorColumns
from mb_sensors.imported.log_rows import Log
from mb_sensors.imported.table import LogError
from mb_sensors.imported.without_gravity import without_gravity
from mb_sensors.sampling import NANOSECONDS

_OFF = 1.5      # factor between the rate of a sensor and of its rows that is odd
_CONFUSED = 1e3, 1e6, 1e9, 1e-3, 1e-6, 1e-9     # units of time

Fail = Callable[[str, str], Any]


class Checks:
    """Checks the rows of a log, which come some at a time."""

    def __init__(self, columns: Columns, fail: Fail) -> None:
        """Begin without a row; fail: called with a path and why Columns do not fit the log."""
        self._columns = columns
        self._of_sensors = [_OfSensor(columns, one, fail) for one in columns.sensors]

    def add(self, log: Log) -> None:
        """Check rows.  Raises LogError for a row that cannot be."""
        for one in self._of_sensors:
            one.add(log)
        for name, one in self._columns.commands.items():
            numbers = log.of(one)
            for row in np.flatnonzero(abs(numbers) > 1.0):
                raise LogError(f'{log.table.at(int(row))}, column {one.column}: the command '
                               f'{numbers[row]:g} of {name} must be in -1..1')

    def warnings(self) -> list[str]:
        """Return what is odd, in words; calls `fail` for what cannot be."""
        return [warning for one in self._of_sensors for warning in one.warnings()]


class _OfSensor:
    """The same of one sensor."""

    def __init__(self, columns: Columns, one: SensorColumns, fail: Fail) -> None:
        self._columns, self._one, self._fail = columns, one, fail
        self._count = 0                     # of readings
        self._newest: int | None = None     # stamp [ns]
        self._lengths = Spilled()           # of vectors without a word on gravity
        self._steps = Spilled(np.int64)     # between readings [ns]
        self._least = np.inf, 0.0, ''       # pressure, of the first channel there, where

    def add(self, log: Log) -> None:
        """Add the readings in rows."""
        sensor, own = self._one.sensor, log.readings[self._one.sensor.name]
        known = np.flatnonzero(np.isfinite(own).all(axis=1))
        if not len(known):
            return
        self._count += len(known)
        if sensor.kind == 'accelerometer' and not self._one.gravity:
            self._lengths.append(np.linalg.norm(own[known], axis=1))
        if sensor.unit == 'Pa':
            row = int(known[np.argmin(own[known]) // own.shape[1]])
            if own[row].min() < self._least[0]:
                self._least = (float(own[row].min()), float(own[row, 0]),
                               f'{log.table.row_word} {log.table.lines[row]}')
        stamps = log.stamps[known]
        if self._newest is not None:
            stamps = np.concatenate([[self._newest], stamps])
        self._newest = int(stamps[-1])
        if self._declared is not None:
            self._steps.append(np.diff(stamps))

    @property
    def _declared(self):
        """The rate of the sensor in the mechanism, None where it says none."""
        return self._columns.mechanism.sensors[self._one.sensor.name].get('rate')

    def warnings(self) -> list[str]:
        """Return what is odd about all readings, in words."""
        sensor, warnings = self._one.sensor, []
        if not self._count:
            return [f'{sensor.name}: no reading in any row']
        if len(self._lengths):
            reason = without_gravity(
                sensor, [quantity.column for quantity in self._one.quantities],
                self._lengths.median(), self._columns.mechanism.gravity)
            if reason:
                self._fail(f'sensors.{sensor.name}', reason)
        least, first, where = self._least
        if least < 0.0:
            warnings.append(f'{sensor.name}: {first:.4g} Pa in {where}: pressures are absolute; '
                            'of a sensor that reads 0 in air say gauge: true')
        return warnings + (self._odd_rate() if len(self._steps) > 1 else [])

    def _odd_rate(self):
        sensor = self._one.sensor
        step = self._steps.median() / NANOSECONDS
        ratio = step * sensor.rate
        if 1.0 / _OFF < ratio < _OFF:
            return []
        hint = next((f': is the unit of time right? {off:g} times off' for off in _CONFUSED
                     if off / _OFF < ratio < off * _OFF), '')
        return [f'{sensor.name}: readings every {step:.4g} s, but its rate in the mechanism is '
                f'{sensor.rate:g} Hz{hint}']
