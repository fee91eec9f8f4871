"""Rows of a log: their stamps, the readings of sensors and the numbers of other columns."""

from dataclasses import dataclass, field
from functools import partial
from math import isfinite
from typing import Any

import numpy as np

from mb_model.arrays import BoolArray, FloatArray, IntArray
from mb_model.file_api import shown
from mb_sensors.imported.column_settings import Columns, ColumnsError, Quantity
from mb_sensors.imported.orientation_columns import RowError
from mb_sensors.imported.plain_cells import plain_numbers
from mb_sensors.imported.table import LogError, Table
from mb_sensors.imported.text_form import MISSING


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


def numbers_of(table: Table, columns: Columns) -> tuple[FloatArray, BoolArray]:
    """Return values (k, quantities) of the rows of a table, and which sensors' cells are all zero.

    These are (k, sensors).  Raises LogError, ColumnsError.
    """
    cells: dict[str, FloatArray] = {}
    values = np.column_stack([_values(table, columns, one, cells) for one in columns.quantities])
    zeros = np.column_stack([np.all([
        _cells(table, columns, one.path, one.column, cells) == 0.0 for one in sensor.quantities],
        axis=0) for sensor in columns.sensors])
    return values, zeros


def with_readings(columns: Columns, table: Table, stamps: IntArray, values: FloatArray,
                  left_out: BoolArray) -> Log:
    """Return the Log of rows, left_out (k, sensors) being no readings.  Raises LogError."""
    readings, begin = {}, 0
    for sensor, none in zip(columns.sensors, left_out.T, strict=True):
        end = begin + len(sensor.quantities)
        numbers = values[:, begin:end]
        begin = end
        if none.any():
            numbers = np.where(none[:, np.newaxis], np.nan, numbers)
        try:
            readings[sensor.sensor.name] = sensor.readings(numbers)
        except RowError as error:
            row = np.flatnonzero(np.isfinite(numbers).all(axis=1))[error.row]
            raise LogError(f'{table.at(row)}: {sensor.sensor.name}: {error}') from None
    return Log(stamps, values, columns.quantities, readings, table)


def failed(columns: Columns, path: str, message: str) -> Any:
    """Raise a ColumnsError about a path in the file of Columns."""
    raise ColumnsError(f'{columns.file}: {path}: {message}')


def _cells(table: Table, columns: Columns, path: str, name: str, cells: dict[str, FloatArray]):
    """Return the numbers of a column (k), NaN where a cell is empty; kept in `cells` by name."""
    if name not in cells:
        given = table.column(name, partial(failed, columns, path))
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
        cell = table.column(one.column, partial(failed, columns, one.path))[row]
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
