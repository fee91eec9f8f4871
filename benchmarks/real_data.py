"""Recordings of real machines: where they are, their columns, and which cannot be read."""

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.figures import Figure

FOLDER = Path(__file__).resolve().parents[2] / 'shared' / 'real_data'


class RecordingError(ValueError):
    """A recording cannot be read: names the line, the column, and what was expected."""


@dataclass(frozen=True)
class Recorded:
    """A recording: its name, and name of a column -> values (k)."""

    name: str
    columns: dict[str, np.ndarray]

    def __getitem__(self, column):
        return self.columns[column]

    def both(self, column):
        """Return a quantity of both joints (k, 2)."""
        return np.column_stack([self.columns[f'{column}{joint}'] for joint in (1, 2)])


def recordings(folder, *parts, needed=()):
    """Return the Recorded of all CSV files of a folder below another, by name; [] without any.

    needed: columns that are read, the first of which is the time; without, all are.
    Raises RecordingError.
    """
    return [read(path, needed) for path in _paths(folder, parts)]


def readable(folder, *parts, needed):
    """Return the Recorded of the files that can be read, and a missed Figure for each other one."""
    runs, faults = [], []
    for path in _paths(folder, parts):
        try:
            runs.append(read(path, needed))
        except RecordingError as error:
            faults.append(not_judged(str(error)))
    return runs, faults


def not_judged(why):
    """Return the Figure of what should have been judged and could not be: missed."""
    return Figure(f'not judged: {why}', 0.0, '', target=1.0, at_least=True)


def missing(judge):
    """Return the figure of a folder without recordings: missed where it has to be judged."""
    if judge:
        return [not_judged(f'recordings in {judge}: missing')]
    return [Figure(f'recordings in {FOLDER}: missing', 0.0, '')]


def _paths(folder, parts):
    return sorted(Path(folder or FOLDER).joinpath(*parts).glob('*.csv'))


def read(path, needed=()):
    """Return the Recorded of a CSV file whose first line names its columns; see recordings."""
    try:
        with path.open(encoding='utf-8-sig', newline='') as file:
            lines = list(csv.reader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise RecordingError(f'{path}: {error}') from None
    names = [name.strip() for name in lines[0]] if lines else []
    for name in needed:
        if name not in names:
            raise RecordingError(f'{path}: line 1: no column {name}, expected '
                                 f'{", ".join(needed)}')
    if len(lines) < 3:
        raise RecordingError(f'{path}: {max(len(lines) - 1, 0)} lines of values, expected more '
                             'than one')
    wanted = {name: names.index(name) for name in needed or names}
    values = np.array([[_number(path, k, name, line, place) for name, place in wanted.items()]
                       for k, line in enumerate(lines[1:], start=2) if line])
    columns = dict(zip(wanted, values.T, strict=True))
    back = np.flatnonzero(np.diff(values[:, 0]) < 0.0)
    if needed and len(back):
        raise RecordingError(f'{path}: value {back[0] + 2} of {needed[0]}: expected one that is '
                             'not smaller than the value before')
    return Recorded(f'{path.parent.name}/{path.stem}', columns)


def _number(path, k, name, line, place):
    """Return the finite number in a line.  Raises RecordingError."""
    text = line[place] if place < len(line) else ''
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not np.isfinite(value):
        raise RecordingError(f'{path}: line {k}: {name}: {text!r} must be a finite number')
    return value
