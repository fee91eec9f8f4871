"""Logs of any form: all of their rows, checked."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
import re
from typing import Any

import numpy as np

from mb_model.file_api import UNITS
from mb_sensors.imported.checks import Checks
from mb_sensors.imported.clock import stamps_of
from mb_sensors.imported.column_settings import Columns, Quantity
from mb_sensors.imported.log_rows import Log, failed, numbers_of, with_readings
from mb_sensors.imported.table import LogError, Table, read_tables
from mb_sensors.imported.units import unit_in
from mb_sensors.imported.zero_rows import ZeroRows

Fail = Callable[[str, str], Any]


def refuse_units_of_names(table: Table, quantities: Sequence[Quantity], fail: Fail) -> None:
    """Refuse a column without a unit whose name, or line of units, says another than is wanted."""
    for one in quantities:
        said = unit_in(one.column, one.unit) or unit_in(
            f'[{table.units.get(one.column, "")}]', one.unit)
        if not one.stated and said and UNITS[one.unit][said] != 1.0:
            fail(one.path, f'column {one.column!r} is in {said} by its name: expected unit: {said} '
                           f'(or unit: {one.unit}, if its name is wrong)')


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
    stamps, remarks = stamps_of(table, columns.time, partial(failed, columns, 'time'))
    refuse_units_of_names(table, columns.quantities, partial(failed, columns))
    values, zeros = numbers_of(table, columns)
    without = []
    for k, one in enumerate(columns.sensors):
        zero_rows = ZeroRows(one)
        zero_rows.add(zeros[:, k], table.lines)
        remarks += zero_rows.remarks(table.row_word)
        without.append(zero_rows.are_no_readings)
    log = with_readings(columns, table, stamps, values, zeros & without)
    checks = Checks(columns, partial(failed, columns))
    checks.add(log)
    return replace(log, remarks=[*table.remarks, *remarks], warnings=checks.warnings())


def _chosen(table: Table, columns: Columns) -> Table:
    """Return the rows of a table that are to be read."""
    count, rows = len(table.lines), columns.rows
    chosen = np.zeros(count, bool)
    chosen[rows.first - 1:rows.last or count] = True
    for one in rows.without:
        match = re.fullmatch(r'\s*(\d+)\s*(?:-\s*(\d+)\s*)?', one)
        if match is None:
            failed(columns, 'rows.without', f'{one!r} must be a number, or a range such as 20-31')
        else:
            chosen[max(0, int(match[1]) - 1):int(match[2] or match[1])] = False
    for name, wanted in columns.where.items():
        cells = table.column(name, partial(failed, columns, f'rows.where.{name}'))
        chosen &= [str(cell) == wanted for cell in cells]
    if not chosen.any():
        failed(columns, 'rows', f'none of the {count} rows of {table.file} is left')
    return table if chosen.all() else table.rows(
        np.flatnonzero(chosen).tolist(), f'{count - chosen.sum()} of {count} rows are left out')
