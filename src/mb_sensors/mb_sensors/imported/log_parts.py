"""Logs of any length: what is read of them lies in files without a name, not in memory."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from mb_model.arrays import IntArray
from mb_model.file_api import Spilled
from mb_sensors.imported.array_tables import is_array_file
from mb_sensors.imported.checks import Checks
from mb_sensors.imported.clock import LAST, rising_numbers, shift_of, unit_of_time
from mb_sensors.imported.column_settings import Columns, RowSettings
from mb_sensors.imported.log import read_log, refuse_units_of_names
from mb_sensors.imported.log_rows import Log, failed, numbers_of, with_readings
from mb_sensors.imported.plain_cells import rounded_multiples
from mb_sensors.imported.table import Table
from mb_sensors.imported.text_parts import NotPlainError, text_tables
from mb_sensors.imported.zero_rows import ZeroRows
from mb_sensors.sampling import NANOSECONDS

_LONG = 4 * 2 ** 20         # bytes of a file from which on it is read some rows at a time


@dataclass(frozen=True)
class LogParts:
    """A log whose rows come some at a time, in their order.

    parts: yields its Logs, each time anew; remarks, warnings: of all, see Log; count: of rows;
    span, step, longest: from the first stamp to the last, the median between stamps, and the
    longest [s], 0 of a single row.
    """

    parts: Callable[[], Iterator[Log]]
    remarks: list[str]
    warnings: list[str]
    count: int
    span: float
    step: float
    longest: float


def read_parts(file: str | Path | Sequence[str | Path], columns: Columns) -> LogParts:
    """Return the LogParts of all quantities of Columns in one or more files.

    A long file of text whose times are plain numbers that rise is read some rows at a time, others
    at once, with the same results.  Raises OSError, LogError, ColumnsError.
    """
    files = [Path(file)] if isinstance(file, str | Path) else [Path(one) for one in file]
    is_simple = (len(files) == 1 and not columns.truth and not columns.where
                 and columns.rows == RowSettings() and columns.time.column)
    if is_simple and not is_array_file(files[0]) and files[0].stat().st_size >= _LONG:
        try:
            return _Reading(files[0], columns).whole()
        except NotPlainError:
            pass
    log = read_log(files, columns)
    gaps = np.diff(log.stamps) / NANOSECONDS
    return LogParts(lambda: iter([log]), log.remarks, log.warnings, len(log.stamps),
                    float(log.stamps[-1] - log.stamps[0]) / NANOSECONDS,
                    *((float(np.median(gaps)), float(gaps.max())) if len(gaps) else (0.0, 0.0)))


class _Reading:
    """Reads a file of text some rows at a time."""

    def __init__(self, file: Path, columns: Columns) -> None:
        self._file, self._columns = file, columns
        self._zero_rows = [ZeroRows(one) for one in columns.sensors]
        self._values = Spilled(width=len(columns.quantities))
        self._zeros = Spilled(np.bool_, len(columns.sensors))
        self._lines, self._stamps = Spilled(np.int64), Spilled(np.int64)
        self._numbers = Spilled(np.int64)       # of times, times powers of 10, exactly
        self._digits: list[tuple[int, int]] = []        # (rows of a part, power)
        self._remarks: list[str] = []
        self._last: Fraction | None = None      # time

    def whole(self) -> LogParts:
        """Return the LogParts.  Raises NotPlainError, and as read_parts."""
        table = None
        for table in text_tables(self._file, self._columns.text, self._columns.names):
            self._take(table)
        if table is None:
            raise NotPlainError
        steps, remarks = self._note_stamps(table)
        for one in self._zero_rows:
            remarks += one.remarks(table.row_word)
        checks = Checks(self._columns, partial(failed, self._columns))
        for part in self._parts():
            checks.add(part)
        first, last = self._stamps.rows(0, 1), self._stamps.rows(len(self._stamps) - 1,
                                                                 len(self._stamps))
        return LogParts(
            self._parts, self._remarks + remarks, checks.warnings(), len(self._stamps),
            float(last[0] - first[0]) / NANOSECONDS,
            steps.median() / NANOSECONDS if len(steps) else 0.0,
            max((int(one.max()) for one in steps.blocks()), default=0) / NANOSECONDS)

    def _take(self, table: Table) -> None:
        """Read the rows of a Table."""
        columns = self._columns
        exact = rising_numbers(table, columns.time, partial(failed, columns, 'time'))
        if exact is None:
            raise NotPlainError
        numbers, digits = exact
        if self._last is not None and Fraction(int(numbers[0]), 10 ** digits) <= self._last:
            raise NotPlainError
        self._last = Fraction(int(numbers[-1]), 10 ** digits)
        if not self._remarks:
            refuse_units_of_names(table, columns.quantities, partial(failed, columns))
        self._remarks += table.remarks[1:] if self._remarks else table.remarks
        values, zeros = numbers_of(table, columns)
        for one, zero in zip(self._zero_rows, zeros.T, strict=True):
            one.add(zero, table.lines)
        self._numbers.append(numbers)
        self._digits.append((len(numbers), digits))
        self._values.append(values)
        self._zeros.append(zeros)
        self._lines.append(table.lines)

    def _note_stamps(self, table: Table) -> tuple[Spilled, list[str]]:
        """Note the stamps of all rows; return the steps between them [ns], and remarks."""
        time, count = self._columns.time, len(self._numbers)
        middle = (count - 1) // 2, count // 2
        unit, remarks = unit_of_time(table, np.array([
            numbers[row - begin] / 10 ** digits for begin, numbers, digits in self._times()
            for row in middle if begin <= row < begin + len(numbers)]), time,
            partial(failed, self._columns, 'time'))
        steps, before, shift = Spilled(np.int64), None, 0
        for _, numbers, digits in self._times():
            stamps = rounded_multiples(numbers, Fraction(unit, 10 ** digits))
            if stamps is None:
                raise NotPlainError
            if before is None:
                shift = shift_of(int(stamps[0]), time)
            gaps = np.diff(stamps) if before is None else np.diff(stamps, prepend=before)
            before = int(stamps[-1])
            if before + shift > LAST or not (gaps > 0).all():
                raise NotPlainError
            steps.append(gaps)
            self._stamps.append(stamps + shift)
        return steps, remarks

    def _times(self) -> Iterator[tuple[int, IntArray, int]]:
        """Yield (first row, numbers, digits) of each part."""
        begin = 0
        for count, digits in self._digits:
            yield begin, self._numbers.rows(begin, begin + count), digits
            begin += count

    def _parts(self) -> Iterator[Log]:
        """Yield the Logs of the rows, as they were read."""
        without = [one.are_no_readings for one in self._zero_rows]
        begin = 0
        for count, _ in self._digits:
            rows = begin, begin + count
            begin += count
            yield with_readings(
                self._columns, self._table(self._lines.rows(*rows).tolist()),
                self._stamps.rows(*rows), self._values.rows(*rows).reshape(count, -1),
                self._zeros.rows(*rows).reshape(count, -1) & without)

    def _table(self, lines: list[int]) -> Table:
        """Return a Table that says where rows are, without their cells."""
        return Table(str(self._file), pd.DataFrame(), lines, 'line')
