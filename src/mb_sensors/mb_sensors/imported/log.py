"""Logs in CSV files: their stamps and the numbers of their columns."""

from collections.abc import Iterator, Sequence
import csv
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from math import isfinite, nan
from pathlib import Path

import numpy as np

from mb_model import LATEST
from mb_model.arrays import FloatArray, IntArray
from mb_model.file_api import shown
from mb_sensors.imported.columns import Columns, ColumnsError, Quantity
from mb_sensors.imported.units import TIMES
from mb_sensors.sampling import NANOSECONDS


class LogError(ValueError):
    """A mistake in a log; the text names file, line and column."""


@dataclass(frozen=True)
class Log:
    """Rows of a log: stamps (k) [ns]; values (k, quantities), NaN where cells are empty.

    quantities: in the order of the values; lines: of the file (k), for messages.
    """

    file: str
    stamps: IntArray
    values: FloatArray
    quantities: list[Quantity]
    lines: list[int]

    def of(self, quantity: Quantity) -> FloatArray:
        """Return the values of a quantity (k)."""
        return self.values[:, self.quantities.index(quantity)]


def read_log(file: str | Path, columns: Columns) -> Log:
    """Return the Log of all quantities of Columns.  Raises OSError, LogError, ColumnsError."""
    with Path(file).open(newline='', encoding='utf-8-sig') as opened:
        rows = _rows(file, csv.reader(opened, delimiter=columns.delimiter, strict=True))
        _, names = next(rows, (0, None))
        if names is None:
            raise LogError(f'{file}: empty, expected a line with the names of the columns')
        time = _place(file, names, columns, 'time', columns.time.column)
        places = [(_place(file, names, columns, one.path, one.column),
                   _place(file, names, columns, one.path, one.minus) if one.minus else None)
                  for one in columns.quantities]
        stamps: list[int] = []
        values, lines = [], []
        for line, cells in rows:
            if len(cells) != len(names):
                raise LogError(f'{file}: line {line}: {len(cells)} cells, expected {len(names)}')
            at = f'{file}: line {line}, column {names[time].strip()}'
            stamp = _stamp(at, cells[time], columns.time)
            if stamps and stamp <= stamps[-1]:
                raise LogError(f'{at}: {cells[time].strip()} must be later than in line '
                               f'{lines[-1]}')
            stamps.append(stamp)
            lines.append(line)
            values.append([_value(file, line, names, cells, one, *place)
                           for one, place in zip(columns.quantities, places, strict=True)])
    if not stamps:
        raise LogError(f'{file}: no rows below the names of the columns')
    return Log(str(file), _begun(file, lines, stamps, columns.time), np.array(values),
               columns.quantities, lines)


def _rows(file: str | Path, reader: Iterator[list[str]]) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) of all rows that are not blank."""
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield reader.line_num, cells        # type: ignore[attr-defined]
    except csv.Error as error:
        raise LogError(f'{file}: line {reader.line_num}: {error}') from None  # type: ignore[attr-defined]
    except UnicodeDecodeError:
        raise LogError(f'{file}: not readable as UTF-8') from None


def _place(file, names: Sequence[str], columns: Columns, path: str, name: str) -> int:
    """Return where a column is."""
    found = [k for k, one in enumerate(names) if one.strip() == name]
    if len(found) != 1:
        raise ColumnsError(f'{columns.file}: {path}: column {shown(name)}: '
                           f'{"there twice" if found else "not"} in {file}, which has '
                           f'{", ".join(one.strip() for one in names)}')
    return found[0]


def _stamp(at, cell, time):
    """Return a time [ns]: exact, whatever its size."""
    try:
        number = Decimal(cell.strip())
    except InvalidOperation:
        number = Decimal('nan')
    if not number.is_finite() or '_' in cell:
        raise LogError(f'{at}: {shown(cell)} must be a time')
    if number.copy_abs() > LATEST * NANOSECONDS / TIMES[time.unit]:
        raise LogError(f'{at}: {shown(cell)} must be a time of at most {LATEST:g} s')
    return round(number * TIMES[time.unit])


def _begun(file, lines, stamps, time):
    """Return the stamps, shifted to where the first one is to be."""
    first = round(time.start * NANOSECONDS)
    if not first:
        first = stamps[0] if stamps[0] >= NANOSECONDS else NANOSECONDS
    found = np.array(stamps, dtype=np.int64) - stamps[0] + first
    if found[-1] > LATEST * NANOSECONDS:
        raise LogError(f'{file}: line {lines[-1]}, column {time.column}: its stamp would be later '
                       f'than {LATEST:g} s')
    return found


def _value(file, line, names, cells, quantity, place, minus):
    """Return the number of a quantity in a row, NaN where a cell is empty."""
    number = _number(file, line, names[place], cells[place])
    if minus is not None:
        number -= _number(file, line, names[minus], cells[minus])
    value = quantity.factor * number + quantity.offset
    if abs(value) == float('inf'):
        raise LogError(f'{file}: line {line}, column {names[place].strip()}: '
                       f'{shown(cells[place])} is too large')
    return value


def _number(file, line, name, cell):
    text = cell.strip()
    if not text or text.lower() == 'nan':
        return nan
    try:
        number = float(text)
    except ValueError:
        number = nan
    if not isfinite(number) or '_' in text:
        raise LogError(f'{file}: line {line}, column {name.strip()}: {shown(text)} must be a '
                       'number, or empty where there is none')
    return number
