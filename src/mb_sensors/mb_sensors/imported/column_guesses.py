"""What the columns of a log may be, by their names and numbers: for a proposal to be edited."""

from collections.abc import Sequence
from dataclasses import dataclass
import re
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.file_api import GRAVITY, SPELLED, UNITS
from mb_sensors.imported.table import Table
from mb_sensors.imported.text_form import MISSING
from mb_sensors.imported.units import unit_in

# Kinds of sensors by the unit of their readings, and what their columns are called: the first fits.
_CALLED = (
    ('orientation', '', r'quat|euler|mat_|rot_?mat|orient|attitude|^q_?[wxyz]$|'
                        r'^(roll|pitch|yaw)(_?(angle|deg|rad))?$'),
    ('magnetometer', 'T', r'mag'),
    ('accelerometer', 'm/s^2', r'acc|^a_?[xyz](_|$)|^f_?[xyz](_|$)|specific'),
    ('gyroscope', 'rad/s', r'gyr|omega|ang(ular)?_?vel|(roll|pitch|yaw)_?rate|'
                               r'^[gw]_?[xyz](_|$)'),
    ('pressure', 'Pa', r'press|druck|^p_?\d*$|^p_'),
    ('force', '', r'torque|tau|effort|moment|force|^f_?\d*$'),
    ('command', '1', r'valve|command|cmd|spool'),
    ('speed', '', r'vel|speed|rate'),
    ('length', 'm', r'length|stroke|dist|lvdt|cylinder|^s_?\d*$|^x_?\d*$'),
    ('angle', 'rad', r'angle|pos|theta|phi|joint|enc|deg|rad|^q_?\d*$'))
# By the unit that a name states, where it says no more: of columns that are axes, and of others.
_AXES_IN = (('rad/s', 'gyroscope'), ('m/s^2', 'accelerometer'), ('T', 'magnetometer'))
_ALONE_IN = (('rad/s', 'speed'), ('m/s', 'speed'), ('Pa', 'pressure'), ('N m', 'force'),
             ('N', 'force'), ('m', 'length'), ('rad', 'angle'))
_UNITS = {*SPELLED, *(unit.lower() for units in UNITS.values() for unit in units)}
_ROWS = 2000        # spread over the log, that guesses look at, about
_OF_KIND = {'distance': 'length', 'linear_encoder': 'length', 'angle_encoder': 'angle',
            'relative_angle_encoder': 'angle', 'inclinometer': 'angle', 'tachometer': 'speed',
            'motor_torque': 'force'}
_AXIS = re.compile(r'(.*?)[ _.\-]?(?:([wxyz])|\[?m?(\d)\D?\D?(\d)\]?)(?=$|[ _]?[\[(])')
_TURN = {'roll': 'x', 'pitch': 'y', 'yaw': 'z'}


@dataclass(frozen=True)
class Guess:
    """A column: numbers from all over it (k), what it is called after, its axis, '' for none."""

    name: str
    numbers: FloatArray
    what: str
    stem: str
    axis: str


def guesses(table: Table) -> list[Guess]:
    """Return a Guess of each column of a table that has numbers."""
    guessed = []
    spread = table.frame.iloc[::max(1, len(table.frame) // _ROWS)]
    for k, name in enumerate(spread.columns):
        numbers = _numbers(spread.iloc[:, k].tolist(), table.decimal)
        if not np.isfinite(numbers).any():
            continue
        snake = re.sub(r'(?<=[a-z])(?=[A-Z])', '_', name).lower()
        stem, axis = _stem_and_axis(snake)
        what = next((what for what, _, pattern in _CALLED
                     if re.search(pattern, snake.replace('[', '_').replace('.', '_'))), '')
        if what == '' or (axis and what in ('speed', 'angle')):
            what = _by_unit(table, name, axis) or what
        guessed.append(Guess(name, numbers, what, stem, axis))
    return guessed


def range_of(table: Table, name: str) -> tuple[float, float]:
    """Return the least and the largest number of a column, by its name, in the whole log."""
    numbers = _numbers(table.frame[name].tolist(), table.decimal)
    return float(np.nanmin(numbers)), float(np.nanmax(numbers))


def _by_unit(table: Table, name: str, axis: str):
    """Return what a column is by the unit that its name or a line of units states, or ''."""
    return next((what for unit, what in (_AXES_IN if axis else _ALONE_IN)
                 if _said_unit(table, name, unit)), '')


def _said_unit(table: Table, name: str, unit: str):
    """Return the unit, of the quantity of a unit, that a name or a line of units says, or ''."""
    return unit_in(name, unit) or unit_in(f'[{table.units.get(name, "")}]', unit)


def _stem_and_axis(name: str):
    """Return (the rest of a name, its axis): x, y, z, w or the indices in a matrix, '' for none."""
    if before := re.fullmatch(r'([afgmw]?)([xyz])_(\w+)', name):
        return f'{before[1]}_{before[3]}', before[2]
    if (before := re.fullmatch(r'(\w+)_([xyz])_(\w+)', name)) and before[3] in _UNITS:
        return before[1], before[2]
    if match := _AXIS.search(name):
        return match[1].rstrip(' _.-'), match[2] or f'{match[3]}{match[4]}'
    turn = next((axis for word, axis in _TURN.items() if name.startswith(word)), '')
    return ('euler' if turn else name), turn


def wanted_of(kind: str) -> str:
    """Return what columns of a kind of sensor are called after."""
    return _OF_KIND.get(kind, kind)


def vectors(columns: Sequence[Guess]) -> dict[str, dict[str, Guess]]:
    """Return {stem: {axis: Guess}} of columns whose names differ in their axis alone."""
    by_stem: dict[str, dict[str, Guess]] = {}
    for one in columns:
        if one.axis:
            by_stem.setdefault(one.stem, {})[one.axis] = one
    return {stem: axes for stem, axes in by_stem.items() if len(axes) > 1}


def what_of(axes: dict[str, Guess]) -> str:
    """Return what the columns of a vector are called after, or are by their size; '' for nothing.
    """
    named = [one.what for one in axes.values() if one.what]
    numbers = np.column_stack([one.numbers for one in axes.values()])
    numbers = numbers[np.isfinite(numbers).all(axis=1) & (numbers != 0.0).any(axis=1)]
    if sorted(axes) == sorted('wxyz') or (named and next(iter(axes.values())).stem):
        return 'orientation' if len(axes) in (4, 9) else named[0]
    size = float(np.median(np.linalg.norm(numbers, axis=1))) if len(numbers) else 0.0
    if sorted(axes) == sorted('xyz') and 0.9 < size / GRAVITY < 1.1:
        return 'accelerometer'
    return named[0] if named else ''


def unit_of(table: Table, columns: Sequence[Guess], unit: str) -> tuple[str, str]:
    """Return (unit, why) of columns that are read in `unit`; '' where nothing says another."""
    name = columns[0].name
    said = _said_unit(table, name, unit)
    if said:
        return (said, 'by its name') if UNITS[unit][said] != 1.0 else ('', f'{unit} by its name')
    numbers = np.column_stack([one.numbers for one in columns])
    numbers = numbers[np.isfinite(numbers).all(axis=1)]
    if not len(numbers):
        return '', ''
    largest = float(np.quantile(abs(numbers).max(axis=1), 0.9))
    length = float(np.median(np.linalg.norm(numbers, axis=1)))
    if unit == 'rad' and largest > 7.0:
        return 'deg', 'guessed by its size'
    if unit == 'rad/s' and largest > 40.0:
        return 'deg/s', 'guessed by its size'
    if unit == 'm/s^2' and len(columns) > 1 and 0.8 < length < 1.25:
        return 'g', f'guessed: readings are {length:.3g} long'
    if unit == 'm/s^2' and len(columns) > 1 and 80.0 < length / GRAVITY < 1250.0:
        return 'mg', f'guessed: readings are {length:.4g} long'
    if unit == 'Pa' and 0.0 < length < 1000.0:
        return 'bar', 'guessed by its size'
    if unit == 'm' and largest > 20.0:
        return 'mm', 'guessed by its size'
    return '', f'in {unit}? the log does not say' if unit in ('rad', 'rad/s', 'Pa') else ''


def likeness(column: str, names: Sequence[str]) -> float:
    """Return how alike the name of a column is to others: 1 for the same, 0 for nothing shared."""
    words = _words(column)
    best = 0.0
    for name in names:
        others = _words(name)
        shared = len(words & others) / max(1, len(words | others))
        best = max(best, 1.0 if words == others else 0.9 * shared)
    return best


def _words(name: str):
    parts = re.findall(r'[a-z]+|\d+', re.sub(r'(?<=[a-z])(?=[A-Z])', '_', name).lower())
    return frozenset(parts) - {'encoder', 'sensor', 'meas', 'measured'}


def _numbers(cells: Sequence[Any], decimal: str):
    numbers = []
    for cell in cells:
        text = str(cell).replace(decimal, '.')
        try:
            numbers.append(np.nan if text.lower() in MISSING else float(text))
        except ValueError:
            numbers.append(np.nan)
    return np.array(numbers)
