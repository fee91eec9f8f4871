"""A proposal of a file of columns: what would be taken of a log, to be edited."""

from collections.abc import Sequence
import json
from pathlib import Path
import re

import numpy as np

from mb_model import Mechanism, load_mechanism
from mb_sensors.imported.clock import stamps_of
from mb_sensors.imported.column_guesses import (
    Guess,
    guesses,
    likeness,
    unit_of,
    vectors,
    wanted_of,
    what_of,
)
from mb_sensors.imported.columns import mechanism_beside
from mb_sensors.imported.table import LogError, Table, read_tables
from mb_sensors.imported.text_form import DELIMITERS, TextSettings
from mb_sensors.imported.time_settings import TimeSettings, is_counter, rate_in
from mb_sensors.imported.units import TIMES
from mb_sensors.sampling import NANOSECONDS
from mb_sensors.selection import sensors_of
from mb_sensors.sensor import Sensor

_TIMES = re.compile(r'time|stamp|^t$|^t[_ \[(]|clock|date|^s$|^sec|zeit', re.IGNORECASE)
_PLAIN = re.compile(r'[A-Za-z_][\w./-]*|\d+')
_YAML_WORDS = {'y', 'n', 'yes', 'no', 'on', 'off', 'true', 'false', 'null'}
_LIKE = 0.3         # likeness of names from which on a column is a sensor's
_LONGEST = 0.5      # step of a log [s], where nothing says its unit
_EDIT = 'EDIT'


class _TimeRefusedError(Exception):
    """A column cannot be the time."""


def proposed_columns(log: str | Path | Sequence[str | Path], mechanism: str = '') -> list[str]:
    """Return the lines of a proposed file of columns for a log.

    mechanism: whose sensors are to be read, '' for one that is not known yet.  Raises OSError,
    LogError, MechanismError.
    """
    files = [log] if isinstance(log, str | Path) else list(log)
    table = read_tables(files, TextSettings())
    machine = load_mechanism(mechanism_beside('columns.yaml', mechanism)) if mechanism else None
    columns = guesses(table)
    time, lines = _time(table, machine)
    columns = [one for one in columns if one.name != time and not is_counter(one.name)]
    sensors, taken = _sensors(table, machine, columns) if machine else ([], set())
    names = ' '.join(str(file) for file in files)
    return [
        f'# Proposed by the names and numbers of {table.file}: check each line, then',
        f'#   ros2 run mb_sensors import_recording {names} --columns columns.yaml '
        '--output my_run/bag',
        *(f'# {remark}' for remark in table.remarks),
        f'mechanism: {_text(mechanism) if mechanism else _EDIT}' + (
            '' if mechanism else
            '     # its name or file; with --mechanism its sensors are proposed'),
        *lines, *_form(table), 'sensors:', *(sensors or [f'  {_EDIT}: {_EDIT}']),
        *_forces(table, machine, columns, taken), *_rest(table, columns, taken)]


def _time(table, machine):
    """Return (name of the column of time, '' for none; lines of its section)."""
    names = list(table.frame.columns)
    likely = [name for name in names if _TIMES.search(name)]
    counters = [name for name in names if is_counter(name)]
    rate, _ = rate_in(table.before)
    numbers = names[:1] if not (table.form and table.form.header) else []
    for name in (*likely, *(counters if rate else ()), *numbers):
        for unit in (None, *(one for one in TIMES if one != 's')):
            settings = TimeSettings(column=name, **({'unit': unit} if unit else {}))
            try:
                stamps, remarks = stamps_of(table, settings, _refuse)
            except (LogError, _TimeRefusedError):
                break
            step = float(np.median(np.diff(stamps))) / NANOSECONDS if len(stamps) > 1 else 0.0
            said = next((one for one in TIMES for remark in remarks
                         if f': in {one} by' in remark or f': {one} since' in remark), '')
            counts = any(' counts at ' in remark for remark in remarks)
            dates = any(': dates' in remark or 'times of a day' in remark for remark in remarks)
            if step > _LONGEST and not (said or counts or dates or unit == 'ns'):
                continue
            bits = next((match[1] for remark in remarks
                         if (match := re.search(r'clock of (\d+) bits', remark))), '')
            entry = [f'column: {_text(name)}',
                     *([f'unit: {unit or said}'] if unit or said else []),
                     *(['unit: counter', f'rate: {rate:g}'] if counts else []),
                     *([f'bits: {bits}'] if bits else [])]
            why = 'unit guessed by the size of its steps; ' if unit else ''
            return name, [f'time: {{{", ".join(entry)}}}      # {why}{_steps(stamps)}',
                          *(f'# {remark}' for remark in remarks)]
    if counters:
        return counters[0], [f'time: {{column: {_text(counters[0])}, unit: counter, rate: {_EDIT}}}'
                             '      # rate: how often it counts [Hz]']
    if rate:
        return '', [f'time: {{rate: {rate:g}}}      # as written above the columns']
    return '', [f'time: {{rate: {_EDIT}}}      # no column of time found: rows per second [Hz], or '
                'column: ...']


def _refuse(message):
    raise _TimeRefusedError(message)


def _steps(stamps):
    if len(stamps) < 2:
        return 'one row'
    gaps = np.diff(stamps) / NANOSECONDS
    return (f'{len(stamps)} rows, steps of {np.median(gaps):.4g} s, the longest '
            f'{gaps.max():.4g} s, {(stamps[-1] - stamps[0]) / NANOSECONDS:.6g} s in all')


def _form(table: Table):
    """Return the lines of the form of a text, where it is not the plain one."""
    form = table.form
    if form is None or (form.delimiter, form.decimal, form.header) == (',', '.', 1):
        return []
    name = next(name for name, one in DELIMITERS.items() if one == form.delimiter)
    return [f'delimiter: {_text(name)}',
            *(['decimal: ","'] if form.decimal == ',' else []),
            f'header: {form.header}' + ('' if form.header else
                                        '       # no line names the columns: they are 1, 2, ...')]


def _sensors(table, machine: Mechanism, columns):
    """Return (lines of the section of sensors, names of columns that these take)."""
    lines, taken = [], set()
    groups = vectors(columns)
    in_order = _in_order(machine, columns)
    for name in machine.sensors:
        sensor, = sensors_of(machine, [name])
        like = [name, *(str(value) for key, value in machine.sensors[name].items()
                        if key in ('body', 'coordinate', 'volume', 'topic')
                        and isinstance(value, str))]
        found = (_vector_entry(table, sensor, groups, like) if len(sensor.channels) > 1
                 else _single_entry(table, sensor, columns, like, taken))
        if found is None and name in in_order:
            one = in_order[name]
            unit, _ = unit_of(table, [one], sensor.unit)
            found = (f'{{column: {_text(one.name)}, unit: {unit}}}' if unit else _text(one.name),
                     [one.name], 'by the order of the columns alone: check')
        if found is None:
            like = [_text(one.name) for one in columns if one.what == wanted_of(sensor.kind)]
            lines.append(f'  # {name}: {_EDIT}      # {sensor.kind} [{sensor.unit or "1"}]: ' + (
                f'one of {", ".join(like)}?' if like else 'no column of the log is like it'))
            continue
        entry, used, why = found
        taken |= set(used)
        lines.append(f'  {name}: {entry}' + (f'      # {why}' if why else ''))
    return (lines if taken else [f'  {_EDIT}: {_EDIT}', *lines]), taken


def _in_order(machine, columns):
    """Return {sensor: Guess} where as many columns with numbered names are of the same kind."""
    found = {}
    sensors = [one for one in sensors_of(machine, list(machine.sensors)) if len(one.channels) == 1]
    for what in {wanted_of(sensor.kind) for sensor in sensors}:
        names = [one.name for one in sensors if wanted_of(one.kind) == what]
        groups: dict[str, list[Guess]] = {}
        for one in columns:
            if one.what == what and re.search(r'\d', one.name):
                groups.setdefault(re.sub(r'\d+', '', one.name), []).append(one)
        fitting = [group for group in groups.values() if len(group) == len(names) > 1]
        if len(fitting) == 1:
            found.update(zip(names, fitting[0], strict=True))
    return found


def _vector_entry(table, sensor: Sensor, groups, like):
    """Return (entry, names of columns, why) of a sensor of several axes, or None."""
    wanted = wanted_of(sensor.kind)
    fitting = [(stem, axes) for stem, axes in groups.items()
               if what_of(axes) == wanted
               and (sensor.is_rotation or set(sensor.axes) <= set(axes))]
    if not fitting:
        return None
    rank = {'w': 2, '11': 1}
    stem, axes = max(fitting, key=lambda group: (
        likeness(group[0], like), max(map(rank.get, group[1], [0] * len(group[1])), default=0)
        if sensor.is_rotation and all(axis in rank for axis in group[1]) else len(group[1])))
    if sensor.is_rotation:
        entry = _orientation(axes)
        return entry and (entry, [one.name for one in axes.values()], 'order by the names')
    chosen = [axes[axis] for axis in sensor.axes]
    names = f'[{", ".join(_text(one.name) for one in chosen)}]'
    if sensor.kind == 'accelerometer' and re.search('free|lin|user', stem):
        turned = next((entry for others in groups.values() if (entry := _orientation(others))), '')
        axes_of = 'earth' if 'free' in stem else 'sensor'
        return (f'{{columns: {names}, gravity: left_out, axes: {axes_of}, orientation: '
                f'{turned or _EDIT}}}', [one.name for one in chosen],
                'by its name without gravity: check axes and orientation')
    unit, why = unit_of(table, chosen, sensor.unit)
    return (f'{{columns: {names}, unit: {unit}}}' if unit else names,
            [one.name for one in chosen], why)


def _orientation(axes):
    """Return the entry of an orientation of columns by axis, '' where they are none."""
    names = f'[{", ".join(_text(one.name) for one in axes.values())}]'
    stem = next(iter(axes.values())).stem
    if sorted(axes) == sorted('wxyz'):
        return f'{{quaternion: {names}, order: {"".join(axes)}}}'
    if len(axes) == 9:
        return f'{{matrix: {names}}}'
    if sorted(axes) == sorted('xyz') and re.search('euler|rpy|attitude', stem):
        order = ''.join(axes)
        return f'{{euler: {names}, order: {order}, unit: deg}}'
    return ''


def _single_entry(table, sensor, columns: Sequence[Guess], like, taken):
    """Return (entry, names of columns, why) of a sensor of one channel, or None."""
    wanted = wanted_of(sensor.kind)
    free = [one for one in columns if one.name not in taken]
    ranked = sorted(free, key=lambda one: likeness(one.name, like), reverse=True)
    best = next((one for one in ranked if likeness(one.name, like) >= _LIKE
                 and one.what in (wanted, 'orientation', '')), None) or next(
        (one for one in ranked if likeness(one.name, like) >= 0.9), None)
    alone = [one for one in free if one.what == wanted]
    if best is None and len(alone) == 1:
        best = alone[0]
    if best is None:
        return None
    unit, why = unit_of(table, [best], sensor.unit)
    return (f'{{column: {_text(best.name)}, unit: {unit}}}' if unit else _text(best.name),
            [best.name], why)


def _forces(table, machine, columns, taken):
    """Return the lines of known forces: columns of forces that are like a degree of freedom."""
    lines = []
    for name in machine.independent if machine else ():
        found = [one for one in columns if one.what == 'force' and one.name not in taken]
        alike = max(found, key=lambda one: likeness(one.name, [name]), default=None)
        if alike and (likeness(alike.name, [name]) >= _LIKE or machine.g == len(found) == 1):
            taken.add(alike.name)
            unit, why = unit_of(table, [alike], 'N m' if machine.unit(name) == 'rad' else 'N')
            entry = f'{{column: {_text(alike.name)}, unit: {unit}}}' if unit else _text(alike.name)
            lines.append(f'  {name}: {entry}      # {why or "if it acts there, and is measured"}')
    return ['known_forces:', *lines] if lines else []


def _rest(table, columns, taken):
    """Return comments on the columns that are not used."""
    rest = [one for one in columns if one.name not in taken]
    if not rest:
        return []
    width = max(len(_text(one.name)) for one in rest)
    return ['# Other columns, with their least and largest number and what they are like:', *(
        f'#   {_text(one.name):{width}}  {np.nanmin(one.numbers):.6g} .. '
        f'{np.nanmax(one.numbers):.6g}  {one.what}'.rstrip() for one in rest)]


def _text(name):
    """Return a name as YAML has it."""
    plain = _PLAIN.fullmatch(name) and name.lower() not in _YAML_WORDS
    return name if plain else json.dumps(name, ensure_ascii=False)
