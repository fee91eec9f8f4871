"""Checks of a log against what its columns are said to be: units, gravity, pressures, rates."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mb_model.arrays import BoolArray, FloatArray, IntArray
from mb_sensors.imported.column_settings import Columns, Quantity, SensorColumns
from mb_sensors.imported.table import LogError, Table
from mb_sensors.imported.units import UNITS, unit_in
from mb_sensors.imported.without_gravity import without_gravity
from mb_sensors.sampling import NANOSECONDS

_NEVER_ZERO = ('accelerometer', 'magnetometer')     # all axes at once, of what is not broken
_FIRST = 2      # rows in which a device may have no reading yet
_OFF = 1.5      # factor between the rate of a sensor and of its rows that is odd
_CONFUSED = 1e3, 1e6, 1e9, 1e-3, 1e-6, 1e-9     # units of time

Fail = Callable[[str, str], Any]


def refuse_units_of_names(table: Table, quantities: Sequence[Quantity], fail: Fail) -> None:
    """Refuse a column without a unit whose name, or line of units, says another than is wanted."""
    for one in quantities:
        said = unit_in(one.column, one.unit) or unit_in(
            f'[{table.units.get(one.column, "")}]', one.unit)
        if not one.stated and said and UNITS[one.unit][said] != 1.0:
            fail(one.path, f'column {one.column!r} is in {said} by its name: expected unit: {said} '
                           f'(or unit: {one.unit}, if its name is wrong)')


def no_readings(sensor: SensorColumns, cells: FloatArray) -> BoolArray:
    """Return in which rows (k) cells (k, columns) of several axes are all zero: no reading.

    Devices begin so.  Accelerometers and magnetometers in space, and quaternions, never read that;
    of others it is no reading in the first rows, if it never comes again.
    """
    zero = (cells == 0.0).all(axis=1)
    none = np.zeros(len(cells), bool)
    if min(cells.shape[1], len(sensor.sensor.channels)) < 2 or zero.all():
        return none
    if (sensor.sensor.kind in _NEVER_ZERO and sensor.sensor.dimension == 3) or cells.shape[1] == 4:
        return zero
    begin = int(np.argmin(zero))
    return zero if begin <= _FIRST and not zero[begin:].any() else none


def checked(columns: Columns, table: Table, stamps: IntArray, values: FloatArray,
            readings: dict[str, FloatArray], fail: Fail) -> list[str]:
    """Return warnings; refuse what cannot be: by `fail`, or LogError for a row."""
    warnings = []
    for one in columns.sensors:
        sensor, found = one.sensor, readings[one.sensor.name]
        known = np.isfinite(found).all(axis=1)
        if not known.any():
            warnings.append(f'{sensor.name}: no reading in any row')
            continue
        if not one.gravity:
            reason = without_gravity(sensor, [quantity.column for quantity in one.quantities],
                                     found[known], columns.mechanism.gravity)
            if reason:
                fail(f'sensors.{sensor.name}', reason)
        if sensor.unit == 'Pa' and (found[known] < 0.0).any():
            row = int(np.flatnonzero(known)[np.argmin(found[known])])
            warnings.append(
                f'{sensor.name}: {found[row, 0]:.4g} Pa in {table.place} {table.lines[row]}: '
                'pressures are absolute; of a sensor that reads 0 in air say gauge: true')
        declared = columns.mechanism.sensors[sensor.name].get('rate')
        if declared is not None and known.sum() > 2:
            warnings += _odd_rate(sensor, np.diff(stamps[known]))
    for name, one in columns.commands.items():
        numbers = values[:, columns.quantities.index(one)]
        for row in np.flatnonzero(abs(numbers) > 1.0):
            raise LogError(f'{table.at(int(row))}, column {one.column}: the command '
                           f'{numbers[row]:g} of {name} must be in -1..1')
    return warnings


def _odd_rate(sensor, steps):
    step = float(np.median(steps)) / NANOSECONDS
    ratio = step * sensor.rate
    if 1.0 / _OFF < ratio < _OFF:
        return []
    hint = next((f': is the unit of time right? {off:g} times off' for off in _CONFUSED
                 if off / _OFF < ratio < off * _OFF), '')
    return [f'{sensor.name}: readings every {step:.4g} s, but its rate in the mechanism is '
            f'{sensor.rate:g} Hz{hint}']
