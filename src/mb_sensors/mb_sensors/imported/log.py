"""Logs: their stamps, the readings of sensors and the numbers of other columns, checked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import isfinite
from pathlib import Path
import re
from typing import Any

import numpy as np

from mb_model.arrays import BoolArray, FloatArray, IntArray
from mb_model.file_api import UNITS, shown
from mb_sensors.imported.clock import stamps_of
from mb_sensors.imported.column_settings import Columns, ColumnsError, Quantity, SensorColumns
from mb_sensors.imported.orientation_columns import RowError
from mb_sensors.imported.plain_cells import plain_numbers
from mb_sensors.imported.table import LogError, Table, read_tables
from mb_sensors.imported.text_form import MISSING
from mb_sensors.imported.units import unit_in
from mb_sensors.imported.without_gravity import without_gravity
from mb_sensors.sampling import NANOSECONDS
from mb_sensors.sensor import Sensor

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
        sensor, own = one.sensor, readings[one.sensor.name]
        known = np.isfinite(own).all(axis=1)
        if not known.any():
            warnings.append(f'{sensor.name}: no reading in any row')
            continue
        if not one.gravity:
            reason = without_gravity(sensor, [quantity.column for quantity in one.quantities],
                                     own[known], columns.mechanism.gravity)
            if reason:
                fail(f'sensors.{sensor.name}', reason)
        if sensor.unit == 'Pa' and (own[known] < 0.0).any():
            row = int(np.flatnonzero(known)[np.argmin(own[known])])
            warnings.append(
                f'{sensor.name}: {own[row, 0]:.4g} Pa in {table.row_word} {table.lines[row]}: '
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


def _odd_rate(sensor: Sensor, steps: IntArray):
    step = float(np.median(steps)) / NANOSECONDS
    ratio = step * sensor.rate
    if 1.0 / _OFF < ratio < _OFF:
        return []
    hint = next((f': is the unit of time right? {off:g} times off' for off in _CONFUSED
                 if off / _OFF < ratio < off * _OFF), '')
    return [f'{sensor.name}: readings every {step:.4g} s, but its rate in the mechanism is '
            f'{sensor.rate:g} Hz{hint}']


@dataclass(frozen=True)
class Log:
    """Rows of a log: stamps (k) [ns]; values (k, quantities), NaN where cells are empty.

    quantities: in the order of the values; readings: name of a sensor -> (k, channels); table: of
    the rows; remarks: what was guessed and left out; warnings: what is odd, in words.
    """

    stamps: IntArray
    values: FloatArray
    quantities: list[Quantity]
    readings: dict[str, FloatArray]
    table: Table
    remarks: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def of(self, quantity: Quantity) -> FloatArray:
        """Return the values of a quantity (k)."""
        return self.values[:, self.quantities.index(quantity)]


def read_log(file: str | Path | Sequence[str | Path], columns: Columns) -> Log:
    """Return the Log of all quantities of Columns in one or more files.

    Raises OSError, LogError, ColumnsError.
    """
    files = [file] if isinstance(file, str | Path) else list(file)
    try:
        table = read_tables(files, columns.text, columns.names, columns.time.column,
                            columns.time.stamps)
    except UnicodeError as error:
        raise LogError(f'{files[0]}: {error}') from None
    table = _chosen(table, columns)
    stamps, remarks = stamps_of(table, columns.time, partial(_fail, columns, 'time'))
    quantities = columns.quantities
    refuse_units_of_names(table, quantities, partial(_fail, columns))
    cells: dict[str, FloatArray] = {}
    values = np.column_stack([_values(table, columns, one, cells) for one in quantities])
    readings, begin = {}, 0
    for sensor in columns.sensors:
        end = begin + len(sensor.quantities)
        numbers = values[:, begin:end]
        begin = end
        left_out = no_readings(sensor, np.column_stack(
            [_cells(table, columns, one.path, one.column, cells) for one in sensor.quantities]))
        if left_out.any():
            numbers = np.where(left_out[:, np.newaxis], np.nan, numbers)
            where = ', '.join(str(table.lines[k]) for k in np.flatnonzero(left_out)[:5])
            remarks.append(f'{sensor.sensor.name}: all zero in {left_out.sum()} rows '
                           f'({table.row_word} {where}{", ..." if left_out.sum() > 5 else ""}): no '
                           'readings')
        try:
            readings[sensor.sensor.name] = sensor.readings(numbers)
        except RowError as error:
            row = np.flatnonzero(np.isfinite(numbers).all(axis=1))[error.row]
            raise LogError(f'{table.at(row)}: {sensor.sensor.name}: {error}') from None
    warnings = checked(columns, table, stamps, values, readings, partial(_fail, columns))
    return Log(stamps, values, quantities, readings, table, [*table.remarks, *remarks], warnings)


def _fail(columns: Columns, path: str, message: str) -> Any:
    raise ColumnsError(f'{columns.file}: {path}: {message}')


def _chosen(table: Table, columns: Columns) -> Table:
    """Return the rows of a table that are to be read."""
    count, rows = len(table.lines), columns.rows
    chosen = np.zeros(count, bool)
    chosen[rows.first - 1:rows.last or count] = True
    for one in rows.without:
        match = re.fullmatch(r'\s*(\d+)\s*(?:-\s*(\d+)\s*)?', one)
        if match is None:
            _fail(columns, 'rows.without', f'{one!r} must be a number, or a range such as 20-31')
        else:
            chosen[max(0, int(match[1]) - 1):int(match[2] or match[1])] = False
    for name, wanted in columns.where.items():
        cells = table.column(name, partial(_fail, columns, f'rows.where.{name}'))
        chosen &= [str(cell) == wanted for cell in cells]
    if not chosen.any():
        _fail(columns, 'rows', f'none of the {count} rows of {table.file} is left')
    return table if chosen.all() else table.rows(
        np.flatnonzero(chosen).tolist(), f'{count - chosen.sum()} of {count} rows are left out')


def _cells(table: Table, columns: Columns, path: str, name: str, cells: dict[str, FloatArray]):
    """Return the numbers of a column (k), NaN where a cell is empty; kept in `cells` by name."""
    if name not in cells:
        given = table.column(name, partial(_fail, columns, path))
        numbers = plain_numbers(given, table.decimal)
        cells[name] = np.array([_number(table, row, name, cell) for row, cell in enumerate(given)]
                               ) if numbers is None else numbers
    return cells[name]


def _values(table: Table, columns: Columns, one: Quantity,
            cells: dict[str, FloatArray]) -> FloatArray:
    """Return the numbers of a quantity (k)."""
    with np.errstate(over='ignore', invalid='ignore'):
        number = _cells(table, columns, one.path, one.column, cells)
        values = one.factor * number + one.offset
        if one.minus:
            other = _cells(table, columns, one.path, one.minus, cells)
            values = (one.factor * (number - other) + one.offset if one.minus_factor == one.factor
                      else values - one.minus_factor * other)
            number = number - other
    for row in np.flatnonzero(~np.isfinite(values) & ~np.isnan(number)):
        cell = table.column(one.column, partial(_fail, columns, one.path))[row]
        raise LogError(f'{table.at(int(row))}, column {one.column}: {shown(cell)} is too large')
    return values


def _number(table: Table, row: int, name: str, cell: Any):
    if not isinstance(cell, str):
        number = float(cell)
        if number in (float('inf'), -float('inf')):
            raise LogError(f'{table.at(row)}, column {name}: {cell} must be a number')
        return number
    if cell.lower() in MISSING:
        return np.nan
    try:
        number = float(cell.replace(table.decimal, '.') if table.decimal == '.' or '.' not in cell
                       else 'two marks')
    except ValueError:
        number = np.nan
    if not isfinite(number) or '_' in cell:
        raise LogError(f'{table.at(row)}, column {name}: {shown(cell)} must be a number, or empty '
                       'where there is none')
    return number
