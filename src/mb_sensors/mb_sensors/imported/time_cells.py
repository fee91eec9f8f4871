"""Cells of a column of times: exact numbers, dates, times of a day."""

from decimal import Decimal, InvalidOperation
from fractions import Fraction
import re
from typing import Any

import numpy as np
import pandas as pd

from mb_model import LATEST
from mb_model.file_api import shown
from mb_sensors.imported.table import LogError, Table
from mb_sensors.imported.time_settings import GUESSED, TimeSettings
from mb_sensors.sampling import NANOSECONDS

DAY = 86400 * NANOSECONDS
_OF_DAY = re.compile(r'\d{1,2}:\d\d(:\d\d([.,]\d+)?)?')


def at(table: Table, row: int, time: str) -> str:
    """Return where a cell of a column of times is, in words."""
    return f'{table.at(row)}, column {time}'


def number_of(table: Table, row: int, name: str, cell: Any) -> int | Fraction:
    """Return a time as an exact number."""
    if isinstance(cell, str):
        text = cell.replace(table.decimal, '.')
        try:
            number = Decimal(text)
        except InvalidOperation:
            number = Decimal('nan')
        if '_' in text:
            number = Decimal('nan')
    else:
        number = Decimal(int(cell) if isinstance(cell, int | np.integer) else str(float(cell)))
    if not number.is_finite():
        raise LogError(f'{at(table, row, name)}: {shown(cell)} must be a time')
    if abs(number.adjusted()) > 30:
        raise LogError(f'{at(table, row, name)}: {shown(cell)} must be a time of at most '
                       f'{LATEST:g} s')
    return int(number) if number == number.to_integral_value() else Fraction(number)


def dates(table: Table, cells: list[Any],
          time: TimeSettings) -> tuple[list[int], list[str], int] | None:
    """Return (stamps [ns], remarks, period) of dates and times of a day, None where none are."""
    if isinstance(cells[0], pd.Timestamp):
        return [int(cell.value) for cell in cells], [], 0
    if not isinstance(cells[0], str):
        return None
    texts = [cell.replace(',', '.') for cell in cells]
    of_day = bool(_OF_DAY.fullmatch(texts[0]))
    if not of_day and (time.unit == GUESSED and not re.match(r'\d{4}-\d\d-\d\d', texts[0])):
        return None
    if of_day:
        found: Any = pd.to_timedelta(pd.Series(
            [text if text.count(':') == 2 else f'{text}:00' for text in texts], dtype=object),
            errors='coerce')
    else:
        found = pd.to_datetime(pd.Series(texts, dtype=object), format='ISO8601', utc=True,
                               errors='coerce')
    for row in np.flatnonzero(found.isna()):
        raise LogError(f'{at(table, int(row), time.column)}: {shown(cells[row])} must be a date '
                       'as 2024-05-31T12:00:00.25+02:00, or a time of a day')
    words = ('times of a day' if of_day else 'dates' + (
        '' if re.search(r'(Z|[+-]\d\d:?\d\d)$', texts[0]) else ', taken as UTC'))
    return [int(one.value) for one in found], [f'time: {time.column}: {words}'], (
        DAY if of_day else 0)


def shown_time(number: int | Fraction) -> str:
    """Return a time in words."""
    return f'{float(number):.12g}' if number.denominator > 1 else str(int(number))
