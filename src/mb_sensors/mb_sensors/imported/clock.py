"""The clock of a log: exact stamps from times, dates, counters, and clocks of few bits."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from mb_model import INT64_MAX, LATEST
from mb_model.arrays import FloatArray, IntArray
from mb_model.file_api import shown
from mb_ros.checked_stamps import REFUSE, REPAIR
from mb_sensors.imported.column_settings import (
    COUNTER,
    DATE,
    GUESSED,
    STAMP,
    TimeSettings,
    is_counter,
    parts_in,
    rate_in,
)
from mb_sensors.imported.plain_cells import exact_numbers, rounded_multiples
from mb_sensors.imported.table import LogError, Table
from mb_sensors.imported.time_cells import DAY, at, dates, number_of, shown_time, stamps_of_parts
from mb_sensors.imported.units import TIMES, time_unit_in
from mb_sensors.sampling import NANOSECONDS

_WIDTHS = (8, 10, 12, 16, 24, 32, 48, 64)       # of clocks and counters, as devices have them
_PERIODS = {DAY: 'a day', NANOSECONDS: 'a second'}
_EPOCH = 1e9, INT64_MAX / NANOSECONDS           # [s], of the years 2001 to 2262
LAST = (2 ** 31 - 1) * NANOSECONDS              # of stamps in messages, of the year 2038


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
    if plain := _plain(table, time, fail):
        return plain
    numbers, unit, remarks, period = _read(table, time, fail)
    cells = table.column(time.column, fail)
    if time.nanoseconds or time.received or (time.stamps != REFUSE and time.column != STAMP):
        numbers, period, said = _checked(table, time, numbers, unit, fail)
        unit, remarks = Fraction(1), remarks + said
    rising, remark = _continued(table, numbers, time, period if period > 1 else 0, unit)
    if remark or time.bits:         # a clock that wraps counts from nowhere in particular
        begin = numbers[0] if numbers[0] * unit < LATEST * NANOSECONDS else 0
        rising = [number - rising[0] + begin for number in rising]
    stamps = _stamps(rising, unit)
    _check_size(table, cells, stamps, time)
    return _begun(table, stamps, time), remarks + remark


def _plain(table: Table, time: TimeSettings,
           fail: Callable[[str], Any]) -> tuple[IntArray, list[str]] | None:
    """Return stamps_of a column of numbers that rise, by one clock; None of any other column."""
    exact = rising_numbers(table, time, fail)
    if exact is None:
        return None
    numbers, digits = exact
    unit, remarks = unit_of_time(table, numbers / 10 ** digits, time, fail)
    stamps = rounded_multiples(numbers, Fraction(unit, 10 ** digits))
    return None if stamps is None else (_begun(table, stamps, time), remarks)


def rising_numbers(table: Table, time: TimeSettings,
                   fail: Callable[[str], Any]) -> tuple[IntArray, int] | None:
    """Return exact_numbers of the column of times if they rise, by one clock; else None."""
    if time.bits or time.nanoseconds or time.received or time.stamps != REFUSE or (
            time.unit == DATE):
        return None
    exact = exact_numbers(table.column(time.column, fail), table.decimal)
    return exact if exact is not None and (np.diff(exact[0]) > 0).all() else None


def _read(table: Table, time: TimeSettings, fail: Callable[[str], Any]):
    """Return (numbers (k) of a column of times, ns of one, remarks, where they begin anew)."""
    cells = table.column(time.column, fail)
    dated = dates(table, cells, time) if time.unit in (DATE, GUESSED) else None
    if dated is not None:
        return dated[0], Fraction(1), dated[1], dated[2]
    numbers = [number_of(table, k, time.column, cell) for k, cell in enumerate(cells)]
    if time.nanoseconds:
        return numbers, Fraction(NANOSECONDS), [], 0
    return numbers, *unit_of_time(table, numbers, time, fail), 2 ** time.bits


def _checked(table: Table, time: TimeSettings, numbers: Sequence[int | Fraction],
             unit: int | Fraction, fail: Callable[[str], Any]):
    """Return (stamps [ns], where they begin anew, remarks) of what two columns say of a time."""
    if time.bits:
        fail('bits: not beside nanoseconds, received or stamps')
    arrivals = None
    if time.received and time.stamps == REFUSE:
        fail('received: only with stamps: repair or arrival, which take it')
    if time.received:
        said = time_unit_in(time.received)
        arrivals = _arrivals(table, replace(
            time, column=time.received, nanoseconds='', unit=said or time.unit), fail)
    if time.nanoseconds:
        parts = numbers, [number_of(table, k, time.nanoseconds, cell) for k, cell in enumerate(
            table.column(time.nanoseconds, fail))]
        for name, part in zip((time.column, time.nanoseconds), parts, strict=True):
            for k, number in enumerate(part):
                if number.denominator > 1 or number < 0:
                    raise LogError(f'{at(table, k, name)}: {shown_time(number)} must be a whole '
                                   'number: of seconds and nanoseconds')
    elif time.stamps == REPAIR:
        fail('stamps: repair: only of `nanoseconds` beside a column of seconds')
    else:
        parts = _as_parts(_stamps(numbers, unit))
    return stamps_of_parts(table, time, parts, arrivals, fail)


def _arrivals(table: Table, time: TimeSettings, fail: Callable[[str], Any]):
    """Return when rows came [ns].  Raises LogError where these times go back."""
    numbers, unit, *_ = _read(table, time, fail)
    arrivals = _stamps(numbers, unit)
    for k, (a, b) in enumerate(pairwise(arrivals)):
        if b < a:
            raise LogError(f'{at(table, k + 1, time.column)}: must not be earlier than in '
                           f'{table.row_word} {table.lines[k]}')
    return arrivals


def _as_parts(stamps: Sequence[int] | IntArray) -> tuple[list[int], list[int]]:
    """Return seconds and nanoseconds of stamps [ns]."""
    pairs = [divmod(int(stamp), NANOSECONDS) for stamp in stamps]
    return [sec for sec, _ in pairs], [nanosec for _, nanosec in pairs]


def _stamps(numbers: Sequence[int | Fraction], unit: int | Fraction):
    return [round(number * unit) for number in numbers]


def _rate(table: Table, time: TimeSettings, fail: Callable[[str], Any]):
    """Return (rate [Hz], where it was found) of rows or of a counter."""
    if time.rate:
        return Fraction(str(time.rate)), ''
    rate, line = rate_in(table.before)
    if not rate:
        fail('rate: missing: how often rows come [Hz]' if not time.column else
             f'rate: missing: how often {time.column} counts [Hz]')
    return Fraction(str(rate)), f' ({line})'


def unit_of_time(table: Table, numbers: Sequence[int | Fraction] | FloatArray, time: TimeSettings,
                 fail: Callable[[str], Any]) -> tuple[Fraction, list[str]]:
    """Return (one of the clock in ns, what was guessed in words).

    numbers: of the clock, of which the median counts.
    """
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


def _continued(table: Table, numbers: Sequence[int | Fraction], time: TimeSettings, period: int,
               unit: int | Fraction):
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
                    f'{at(table, k + 1, time.column)}: {shown_time(numbers[k + 1])} must be later '
                    f'than in {table.row_word} {table.lines[k]}, {shown_time(numbers[k])}; '
                    f'{_mending(table, time)}')
        return numbers, []
    rising = numbers[:1]
    for k, step in enumerate(steps):
        step %= period
        if not 0 < step <= period / 2:
            raise LogError(
                f'{at(table, k + 1, time.column)}: {shown_time(numbers[k + 1])} must be later '
                f'than in {table.row_word} {table.lines[k]}, {shown_time(numbers[k])}, by at most '
                f'half of the {shown_time(period)} at which the clock wraps')
        rising.append(rising[-1] + step)
    rows = ', '.join(str(table.lines[k + 1]) for k in back[:5])
    bits = f'{int(period).bit_length() - 1} bits{" by its numbers" if guessed else ""}'
    return rising, [f'time: {time.column}: a clock of {_PERIODS.get(period, bits)}, which wraps in '
                    f'{table.row_word} {rows}'] if back else []


def _mending(table: Table, time: TimeSettings):
    """Return what may be done where a time does not go on, in words."""
    parts = parts_in(list(table.frame.columns))
    if parts and time.column == parts[0] and not time.nanoseconds:
        return f'seconds whose nanoseconds are another column have `nanoseconds: {parts[1]}`'
    return ('a clock that wraps has `bits`; with a column `received`, `stamps: arrival` takes when '
            'rows came')


def _guessed_period(numbers: Sequence[int | Fraction], steps: Sequence[int | Fraction],
                    back: Sequence[int]):
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


def _check_size(table: Table, cells: Sequence[Any], stamps: Sequence[int], time: TimeSettings):
    """Raise LogError where a time is so large that ROS cannot count it, from 2262 on."""
    for k, stamp in enumerate(stamps):
        if abs(stamp) > INT64_MAX:
            raise LogError(f'{at(table, k, time.column)}: {shown(cells[k])} must be a time of at '
                           f'most {INT64_MAX / NANOSECONDS:g} s')


def _begun(table: Table, stamps: Sequence[int] | IntArray, time: TimeSettings) -> IntArray:
    """Return the stamps, shifted to where the first one is to be."""
    shift = shift_of(int(stamps[0]), time)
    if int(stamps[-1]) + shift > LAST:
        raise LogError(f'{at(table, len(stamps) - 1, time.column)}: its stamp would be later than '
                       f'{LAST // NANOSECONDS} s, in 2038, where the stamps of ROS messages end: '
                       '`start` of the time shifts the log')
    shifted = stamps + shift if isinstance(stamps, np.ndarray) else np.array(
        [stamp + shift for stamp in stamps], dtype=np.int64)
    if len(shifted) > 1 and not np.diff(shifted).min() > 0:
        row = int(np.argmin(np.diff(shifted))) + 1
        raise LogError(f'{at(table, row, time.column)}: must be later than in {table.row_word} '
                       f'{table.lines[row - 1]}')
    return shifted


def shift_of(begin: int, time: TimeSettings) -> int:
    """Return by how much stamps of a log are shifted [ns]; begin: the first one [ns]."""
    first = round(time.start * NANOSECONDS)
    return (first or max(begin, NANOSECONDS)) - begin
