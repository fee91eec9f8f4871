"""Cells of columns of times: exact numbers, dates, times of a day, seconds and nanoseconds."""

from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
import re
from typing import Any

import numpy as np
import pandas as pd

from mb_model import INT64_MAX
from mb_model.file_api import shown
from mb_ros.checked_stamps import (
    ARRIVAL,
    MALFORMED,
    REFUSE,
    REPAIR,
    WRAPPED,
    CheckedStamps,
    fault_of,
    unwrapped_nanosec,
)
from mb_sensors.imported.column_settings import GUESSED, TimeSettings
from mb_sensors.imported.table import LogError, Table
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
                       f'{INT64_MAX / 1e9:g} s')
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
        times: Any = pd.to_timedelta(pd.Series(
            [text if text.count(':') == 2 else f'{text}:00' for text in texts], dtype=object),
            errors='coerce')
    else:
        times = pd.to_datetime(pd.Series(texts, dtype=object), format='ISO8601', utc=True,
                               errors='coerce')
    for row in np.flatnonzero(times.isna()):
        raise LogError(f'{at(table, int(row), time.column)}: {shown(cells[row])} must be a date '
                       'as 2024-05-31T12:00:00.25+02:00, or a time of a day')
    words = ('times of a day' if of_day else 'dates' + (
        '' if re.search(r'(Z|[+-]\d\d:?\d\d)$', texts[0]) else ', taken as UTC'))
    return [int(one.value) for one in times], [f'time: {time.column}: {words}'], (
        DAY if of_day else 0)


def shown_time(number: int | Fraction) -> str:
    """Return a time in words."""
    return f'{float(number):.12g}' if number.denominator > 1 else str(int(number))


def stamps_of_parts(table: Table, time: TimeSettings, parts: tuple[Sequence[int], Sequence[int]],
                    arrivals: Sequence[int] | None,
                    fail: Callable[[str], Any]) -> tuple[list[int], int, list[str]]:
    """Return (stamps (k) [ns], after how much they begin anew or 0, remarks) of their parts.

    parts: seconds and nanoseconds (k); arrivals (k) [ns]: of the rows, None where the log has none.
    Raises LogError for stamps that are refused, or cannot be repaired.
    """
    secs, nanosecs = parts
    fault = fault_of(secs, nanosecs)
    if time.stamps == ARRIVAL:
        if arrivals is None:
            fail(f'stamps: {ARRIVAL}: needs `received`, a column of times at which rows came')
        return *_by_arrival(secs, nanosecs, arrivals or (), fault, ARRIVAL), [
            f'time: {_named(time)}: {fault or "of a clock of its own"}: stamps are replaced by '
            f'{time.received}, without its jitter']
    if not fault:
        return [sec * NANOSECONDS + nanosec
                for sec, nanosec in zip(secs, nanosecs, strict=True)], 0, []
    row = next((k for k, one in enumerate(nanosecs) if one >= NANOSECONDS), len(secs) - 1)
    if time.stamps == REFUSE or fault == MALFORMED:
        raise LogError(f'{table.at(row)}, column {time.nanoseconds or time.column}: '
                       f'{nanosecs[row]}: {CheckedStamps(fault=fault).words}')
    remarks = [f'time: {_named(time)}: {fault}: stamps are repaired']
    if fault == WRAPPED:
        return [_unwrapped(table, time, k, *one) for k, one in enumerate(
            zip(secs, nanosecs, strict=True))], 0, remarks
    if arrivals is None:
        return [secs[0] * NANOSECONDS + one for one in nanosecs], NANOSECONDS, remarks
    return *_by_arrival(secs, nanosecs, arrivals, fault, REPAIR), remarks


def increasing(stamps: Sequence[int], arrivals: Sequence[int]) -> list[int]:
    """Return stamps that increase: the arrival, or the next nanosecond, where one does not."""
    stamps_so_far: list[int] = []
    for stamp, arrival in zip(stamps, arrivals, strict=True):
        later = stamps_so_far[-1] + 1 if stamps_so_far else stamp
        stamps_so_far.append(stamp if stamp >= later else max(arrival, later))
    return stamps_so_far


def _by_arrival(secs: Sequence[int], nanosecs: Sequence[int], arrivals: Sequence[int], fault: str,
                policy: str) -> tuple[list[int], int]:
    """Return stamps by the arrival; a clock that goes back, and is not known to, begins anew."""
    checked, last, stamps = CheckedStamps(policy, fault), (0, 0), []
    for sec, nanosec, arrival in zip(secs, nanosecs, arrivals, strict=True):
        if not fault and (sec, nanosec) < last:
            checked = CheckedStamps(policy, fault)
        last = sec, nanosec
        stamp = checked.take(sec, nanosec, arrival)
        stamps.append(arrival if stamp is None else stamp)
    return increasing(stamps, arrivals), 0


def _unwrapped(table: Table, time: TimeSettings, row: int, sec: int, nanosec: int):
    rest = unwrapped_nanosec(sec, nanosec)
    if rest is None:
        raise LogError(f'{table.at(row)}, column {time.nanoseconds}: {nanosec} is no time modulo '
                       f'2^32 of second {sec}; `rows` leave it out')
    return sec * NANOSECONDS + rest


def _named(time: TimeSettings):
    return f'{time.column}, {time.nanoseconds}' if time.nanoseconds else time.column
