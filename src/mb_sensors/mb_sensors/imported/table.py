"""Tables: a log of any format as a pandas frame, with the line of each row for messages."""

from collections.abc import Callable, Sequence
import csv
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import Any

import pandas as pd

from mb_model.file_api import shown
from mb_ros.checked_stamps import REFUSE
from mb_sensors.imported.array_tables import array_frames
from mb_sensors.imported.text_form import (
    DELIMITERS,
    TextForm,
    TextSettings,
    decoded,
    form_of,
    is_comment,
)

_LONG = 100_000     # characters of a line, some less than csv refuses
_NAMES = {delimiter: name for name, delimiter in DELIMITERS.items()}


class LogError(ValueError):
    """A mistake in a log; the text names file, line and column."""


@dataclass(frozen=True)
class Table:
    """Rows of a log.

    frame: columns by name, cells of text or numbers; lines: of each row in the file (k), or its
    number from 1 on where a format has no lines; row_word: 'line' or 'row'; decimal: mark in
    cells of text; units: by name, as the file says them; before: lines above the names; remarks:
    what was guessed and left out, in words.
    """

    file: str
    frame: pd.DataFrame
    lines: list[int]
    row_word: str = 'row'
    decimal: str = '.'
    units: dict[str, str] = field(default_factory=dict)
    before: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    form: TextForm | None = None

    def at(self, row: int) -> str:
        """Return where a row is, in words."""
        return f'{self.file}: {self.row_word} {self.lines[row]}'

    def column(self, name: str, fail: Callable[[str], Any]) -> list[Any]:
        """Return the cells of a column (k); calls `fail` with a message if it is not there once."""
        indices = [k for k, one in enumerate(self.frame.columns) if one == name]
        if len(indices) != 1:
            names = ', '.join(str(one) for one in self.frame.columns)
            hint = ('; no line names its columns: they are numbers, or have the `names` of a list'
                    if self.form is not None and not self.form.header else '')
            fail(f'column {shown(name)}: {"there twice" if indices else "not"} in {self.file}, '
                 f'which has {names}{hint}')
        return self.frame.iloc[:, indices[0]].tolist()

    def rows(self, chosen: Sequence[int], remark: str) -> 'Table':
        """Return the table of some of its rows, with a remark on the others."""
        return Table(self.file, self.frame.iloc[list(chosen)], [self.lines[k] for k in chosen],
                     self.row_word, self.decimal, self.units, self.before, [*self.remarks, remark],
                     self.form)


def read_tables(files: Sequence[str | Path], settings: TextSettings,
                names: Sequence[str] = (), time: str = '', stamps: str = REFUSE) -> Table:
    """Return the Table of files, side by side, or in the order of `time` if each has that column.

    names: of the columns, in place of a header.  A name that several files have is preceded by
    the file's and a dot; the one column of a file without a header has the file's.  stamps: one of
    POLICIES: what becomes of stamps in bags that no clock shows.  Raises OSError, LogError.
    """
    tables = [_read(Path(file), settings, names if len(files) == 1 else (), stamps)
              for file in files]
    if len(tables) == 1:
        return tables[0]
    file = ', '.join(table.file for table in tables)
    stems = [Path(table.file).stem for table in tables]
    frames = [table.frame if len(table.frame.columns) > 1 or (table.form and table.form.header)
              else table.frame.set_axis([stem], axis=1)
              for table, stem in zip(tables, stems, strict=True)]
    known = [name for frame in frames for name in frame.columns]
    by_time = bool(time) and all(time in frame.columns for frame in frames)
    frames = [frame.rename(columns={name: f'{stem}.{name}' for name in frame.columns
                                    if known.count(name) > 1 and not (by_time and name == time)})
              for frame, stem in zip(frames, stems, strict=True)]
    if by_time:
        whole = reduce(lambda a, b: a.merge(b, how='outer', on=time, sort=False), frames)
        times = pd.to_numeric(whole[time], errors='coerce')
        whole = whole.iloc[times.argsort(kind='stable')].astype(object)
        whole = whole.where(whole.notna(), '').reset_index(drop=True)
        return Table(file, whole, list(range(1, len(whole) + 1)), decimal=tables[0].decimal,
                     remarks=[f'rows of {len(tables)} files are joined by {time}'])
    if len({len(frame) for frame in frames}) > 1:
        raise LogError(f'{file}: {", ".join(str(len(frame)) for frame in frames)} rows: files side '
                       'by side need equally many, or a time column of the same name each')
    whole = pd.concat([frame.reset_index(drop=True) for frame in frames], axis=1)
    first = tables[0]
    return Table(file, whole, first.lines, first.row_word, first.decimal, first.units, first.before,
                 [remark for table in tables for remark in table.remarks])


def _read(file: Path, settings: TextSettings, names: Sequence[str], stamps: str):
    """Return the Table of a file."""
    try:
        arrays = array_frames(file, stamps)
        if arrays is None:
            return _text_table(file, settings, names)
    except ValueError as error:
        raise LogError(f'{file}: {error}') from None
    frame, remarks = arrays
    if not len(frame):
        raise LogError(f'{file}: no rows')
    return Table(str(file), frame, list(range(1, len(frame) + 1)), remarks=remarks)


def _text_table(file: Path, settings: TextSettings, given: Sequence[str]):
    text, encoding = decoded(file.read_bytes(), settings.encoding)
    lines = text.split('\n')
    if not text.strip():
        raise ValueError('empty, expected a line with the names of the columns')
    if settings.header > len(lines):
        raise ValueError(f'header: {settings.header}, but it has {len(lines)} lines')
    del text
    form = form_of(lines, settings)
    numbers = [n for n in range(form.first, len(lines) + 1) if not is_comment(lines[n - 1])]
    table = table_of_rows(file, [lines[n - 1] for n in numbers], numbers, form, given, len(lines))
    if not table.lines:
        raise ValueError('no rows below the names of the columns')
    said = [f'encoding {encoding}'] if encoding not in ('utf-8', 'utf-8-sig') else []
    table.remarks[0] = ', '.join([*said, table.remarks[0]])
    return table


def table_of_rows(file: Path, lines: Sequence[str], numbers: Sequence[int], form: TextForm,
                  given: Sequence[str], last: int, is_begun: bool = False) -> Table:
    """Return the Table of rows of text, which may be none, of a form.

    numbers: of the lines; given: names of the columns, in place of the form's; last: number of the
    line that may be cut off, after which nothing comes; is_begun: whether other rows came before.
    Raises ValueError.
    """
    names = list(given or form.names)
    columns: list[list[str]] = [[] for _ in names]      # lists of rows would take more memory
    kept, remarks = [], []
    for n, cells in _cells(lines, numbers, form.delimiter):
        while len(cells) > len(names) and not cells[-1]:
            cells.pop()
        if len(cells) != len(names):
            if n == last and (kept or is_begun) and len(cells) < len(names):
                remarks.append(f'line {n} is cut off: left out')
                continue
            raise ValueError(f'line {n}: {len(cells)} cells, expected {len(names)}')
        kept.append(n)
        for column, cell in zip(columns, cells, strict=True):
            column.append(cell)
    words = [f'separator {shown(_NAMES[form.delimiter])}',
             *(['decimal comma'] if form.decimal == ',' else []),
             f'names in line {form.header}' if form.header else
             'names given' if given else 'no line with names: columns are 1, 2, ...']
    units = {name: unit for name, unit in zip(names, form.units, strict=False) if unit}
    frame = pd.DataFrame(dict(enumerate(columns)), dtype=object).set_axis(names, axis=1)
    return Table(str(file), frame, kept, 'line', form.decimal, units, form.before,
                 [', '.join(words), *remarks], form)


def needs_csv(lines: Sequence[str]) -> bool:
    """Return whether lines of text are more than cells between delimiters."""
    return any('"' in line or len(line) > _LONG for line in lines)


def _cells(lines: Sequence[str], numbers: Sequence[int], delimiter: str):
    """Yield (line, cells) of the rows of text."""
    if delimiter == ' ':
        yield from ((n, line.split()) for n, line in zip(numbers, lines, strict=True))
        return
    if not needs_csv(lines):
        yield from ((n, [cell.strip() for cell in line.split(delimiter)])
                    for n, line in zip(numbers, lines, strict=True))
        return
    read = 0
    reader = csv.reader((line + '\n' for line in lines), delimiter=delimiter, strict=True,
                        skipinitialspace=True)
    try:
        for cells in reader:
            read = reader.line_num
            yield numbers[read - 1], [cell.strip() for cell in cells]
    except csv.Error as error:
        line = numbers[min(read, len(numbers) - 1)]
        raise ValueError(f'line {line}: {error}') from None
