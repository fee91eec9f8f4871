"""The clock of a log: exact stamps from times, dates, counters, and clocks of few bits."""

from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import pairwise
import re
from typing import Any

import numpy as np
import pandas as pd

from mb_model import LATEST
from mb_model.arrays import IntArray
from mb_model.file_api import shown
from mb_sensors.imported.table import LogError, Table
from mb_sensors.imported.time_settings import (
    COUNTER,
    DATE,
    GUESSED,
    TimeSettings,
    is_counter,
    rate_in,
)
from mb_sensors.imported.units import TIMES, time_unit_in
from mb_sensors.sampling import NANOSECONDS

_WIDTHS = (8, 10, 12, 16, 24, 32, 48, 64)       # of clocks and counters, as devices have them
_OF_DAY = re.compile(r'\d{1,2}:\d\d(:\d\d([.,]\d+)?)?')
_DAY = 86400 * NANOSECONDS
_EPOCH = 1e9, 2.1e9                             # [s], of the years 2001 to 2036


def stamps_of(table: Table, time: TimeSettings, fail: Callable[[str], Any],
              ) -> tuple[IntArray, list[str]]:
    """Return (stamps (k) [ns], increasing, what was found in words) of the rows of a table.

    fail: called with a message where the settings do not fit the log.  Raises LogError, naming file
    and row.
    """
    if not time.column:
        rate, said = _rate(table, time, fail)
        stamps = _stamps(range(len(table.lines)), Fraction(NANOSECONDS) / rate)
        return _begun(table, stamps, time), [
            f'time: none, rows come at {float(rate):g} Hz{said}']
    cells = table.column(time.column, fail)
    dates = _dates(table, cells, time) if time.unit in (DATE, GUESSED) else None
    if dates is not None:
        stamps, remarks, period = dates
        numbers, unit = stamps, Fraction(1)
    else:
        numbers = [_number(table, k, time.column, cell) for k, cell in enumerate(cells)]
        unit, remarks = _unit(table, numbers, time, fail)
        period = 2 ** time.bits
    found, remark = _continued(table, numbers, time, period if period > 1 else 0, unit)
    if remark or time.bits:         # a clock that wraps counts from nowhere in particular
        found = [number - found[0] + (numbers[0] if numbers[0] * unit < LATEST * NANOSECONDS else 0)
                 for number in found]
    stamps = _stamps(found, unit)
    _check_size(table, cells, stamps, time)
    return _begun(table, stamps, time), remarks + remark


def _stamps(numbers, unit):
    return [round(number * unit) for number in numbers]


def _at(table, row, time):
    return f'{table.at(row)}, column {time}'


def _number(table, row, name, cell):
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
        raise LogError(f'{_at(table, row, name)}: {shown(cell)} must be a time')
    if abs(number.adjusted()) > 30:
        raise LogError(f'{_at(table, row, name)}: {shown(cell)} must be a time of at most '
                       f'{LATEST:g} s')
    return int(number) if number == number.to_integral_value() else Fraction(number)


def _dates(table, cells, time):
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
        raise LogError(f'{_at(table, int(row), time.column)}: {shown(cells[row])} must be a date '
                       'as 2024-05-31T12:00:00.25+02:00, or a time of a day')
    words = ('times of a day' if of_day else 'dates' + (
        '' if re.search(r'(Z|[+-]\d\d:?\d\d)$', texts[0]) else ', taken as UTC'))
    return [int(one.value) for one in found], [f'time: {time.column}: {words}'], (
        _DAY if of_day else 0)


def _rate(table, time, fail):
    """Return (rate [Hz], where it was found) of rows or of a counter."""
    if time.rate:
        return Fraction(str(time.rate)), ''
    rate, line = rate_in(table.before)
    if not rate:
        fail('rate: missing: how often rows come [Hz]' if not time.column else
             f'rate: missing: how often {time.column} counts [Hz]')
    return Fraction(str(rate)), f' ({line})'


def _unit(table, numbers, time, fail):
    """Return (one of the clock in ns, what was guessed in words)."""
    unit = time.unit
    if unit == DATE:
        fail(f'unit: {DATE}: {time.column} has no dates in {table.file}')
    counts = unit == COUNTER or (unit == GUESSED and is_counter(time.column) and (
        time.rate or rate_in(table.before)[0]))
    if counts:
        rate, said = _rate(table, time, fail)
        return Fraction(NANOSECONDS) / rate, [
            f'time: {time.column} counts at {float(rate):g} Hz{said}']
    if unit != GUESSED:
        return Fraction(TIMES[unit]), []
    said = time_unit_in(time.column) or time_unit_in(
        f'[{table.units[time.column]}]' if time.column in table.units else '')
    if said:
        return Fraction(TIMES[said]), [f'time: {time.column}: in {said} by its name']
    size = float(np.median([float(abs(number)) for number in numbers]))
    for one, factor in TIMES.items():
        if _EPOCH[0] < size * factor / NANOSECONDS < _EPOCH[1] and one != 's':
            return Fraction(factor), [f'time: {time.column}: {one} since 1970 by its size']
    if is_counter(time.column):
        fail(f'{time.column} is a counter by its name: expected `unit: {COUNTER}` and `rate`, or '
             'a unit of time')
    return Fraction(TIMES['s']), []


def _continued(table, numbers, time, period, unit):
    """Return the numbers (k) of a clock that wraps as they go on, and remarks."""
    steps = [b - a for a, b in pairwise(numbers)]
    back = [k for k, step in enumerate(steps) if step < 0]
    guessed = 0
    if not period and back and all(number.denominator == 1 for number in numbers):
        guessed = period = _guessed_period(numbers, steps, back)
    if not period:
        for k, step in enumerate(steps):
            if step <= 0:
                raise LogError(
                    f'{_at(table, k + 1, time.column)}: {_shown(numbers[k + 1])} must be later '
                    f'than in {table.place} {table.lines[k]}, {_shown(numbers[k])}; a clock that '
                    'wraps has `bits`')
        return numbers, []
    found = numbers[:1]
    for k, step in enumerate(steps):
        step %= period
        if not 0 < step <= period / 2:
            raise LogError(
                f'{_at(table, k + 1, time.column)}: {_shown(numbers[k + 1])} must be later than in '
                f'{table.place} {table.lines[k]}, {_shown(numbers[k])}, by at most half of the '
                f'{_shown(period)} at which the clock wraps')
        found.append(found[-1] + step)
    rows = ', '.join(str(table.lines[k + 1]) for k in back[:5])
    bits = f'{int(period).bit_length() - 1} bits{" by its numbers" if guessed else ""}'
    return found, [f'time: {time.column}: a clock of {bits if period != _DAY else "a day"}, which '
                   f'wraps in {table.place} {rows}'] if back else []


def _guessed_period(numbers, steps, back):
    """Return at which power of 2 a clock wraps: its step is then like the others; 0 for none."""
    ahead = sorted(step for step in steps if step > 0)
    if not ahead:
        return 0
    median, longest = ahead[len(ahead) // 2], ahead[-1]
    for bits in reversed(_WIDTHS):
        wrapped = [steps[k] % 2 ** bits for k in back]
        # A clock may have been read a step late: its numbers may pass the power by that much.
        if (max(numbers) < 2 ** bits + median and all(
                ahead[0] / 2 <= step <= max(longest, 2 * median) for step in wrapped)):
            return 2 ** bits
    return 0


def _shown(number):
    return f'{float(number):.12g}' if number.denominator > 1 else str(int(number))


def _check_size(table, cells, stamps, time):
    """Raise LogError where a time is so large that ROS has no stamp for it."""
    for k, stamp in enumerate(stamps):
        if abs(stamp) > LATEST * NANOSECONDS:
            raise LogError(f'{_at(table, k, time.column)}: {shown(cells[k])} must be a time of at '
                           f'most {LATEST:g} s')


def _begun(table: Table, stamps: Sequence[int], time: TimeSettings) -> IntArray:
    """Return the stamps, shifted to where the first one is to be."""
    first = round(time.start * NANOSECONDS)
    if not first:
        first = stamps[0] if stamps[0] >= NANOSECONDS else NANOSECONDS
    if stamps[-1] - stamps[0] + first > LATEST * NANOSECONDS:
        raise LogError(f'{_at(table, len(stamps) - 1, time.column)}: its stamp would be later than '
                       f'{LATEST:g} s')
    found = np.array([stamp - stamps[0] + first for stamp in stamps], dtype=np.int64)
    if len(found) > 1 and not np.diff(found).min() > 0:
        row = int(np.argmin(np.diff(found))) + 1
        raise LogError(f'{_at(table, row, time.column)}: must be later than in {table.place} '
                       f'{table.lines[row - 1]}')
    return found
