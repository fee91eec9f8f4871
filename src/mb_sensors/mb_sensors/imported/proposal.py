"""A proposal of a file of columns: what would be taken of a log, to be edited."""

from collections.abc import Mapping, Sequence
from pathlib import Path
import re

from mb_model import Mechanism, load_mechanism
from mb_sensors.imported.column_guesses import (
    Guess,
    guesses,
    likeness,
    range_of,
    unit_of,
    vectors,
    wanted_of,
    what_of,
)
from mb_sensors.imported.column_settings import is_counter
from mb_sensors.imported.columns import mechanism_beside
from mb_sensors.imported.proposed_time import EDIT, proposed_time, read_for_proposal, yaml_text
from mb_sensors.imported.table import Table
from mb_sensors.imported.text_form import DELIMITERS
from mb_sensors.selection import sensors_of
from mb_sensors.sensor import Sensor

_LIKE = 0.3         # likeness of names from which on a column is a sensor's


def proposed_columns(log: str | Path | Sequence[str | Path], mechanism: str = '') -> list[str]:
    """Return the lines of a proposed file of columns for a log.

    mechanism: whose sensors are to be read, '' for one that is not known yet.  Raises OSError,
    LogError, MechanismError.
    """
    files = [log] if isinstance(log, str | Path) else list(log)
    table, bag_stamps = read_for_proposal(files)
    machine = load_mechanism(mechanism_beside('columns.yaml', mechanism)) if mechanism else None
    columns = guesses(table)
    times, lines = proposed_time(table, bag_stamps)
    columns = [one for one in columns if one.name not in times and not is_counter(one.name)]
    sensors, taken = _sensors(table, machine, columns) if machine else ([], set())
    names = ' '.join(str(file) for file in files)
    return [
        f'# Proposed by the names and numbers of {table.file}: check each line, then',
        f'#   ros2 run mb_sensors import_recording {names} --columns columns.yaml '
        '--output my_run/bag',
        *(f'# {remark}' for remark in table.remarks),
        f'mechanism: {yaml_text(mechanism) if mechanism else EDIT}' + (
            '' if mechanism else
            '     # its name or file; with --mechanism its sensors are proposed'),
        *lines, *_form(table), 'sensors:', *(sensors or [f'  {EDIT}: {EDIT}']),
        *_forces(table, machine, columns, taken), *_rest(table, columns, taken)]


def _form(table: Table):
    """Return the lines of the form of a text, where it is not the plain one."""
    form = table.form
    if form is None or (form.delimiter, form.decimal, form.header) == (',', '.', 1):
        return []
    name = next(name for name, one in DELIMITERS.items() if one == form.delimiter)
    return [f'delimiter: {yaml_text(name)}',
            *(['decimal: ","'] if form.decimal == ',' else []),
            f'header: {form.header}' + ('' if form.header else
                                        '       # no line names the columns: they are 1, 2, ...')]


def _sensors(table: Table, machine: Mechanism, columns: Sequence[Guess]):
    """Return (lines of the section of sensors, names of columns that these take)."""
    lines, taken = [], set()
    groups = vectors(columns)
    in_order = _in_order(machine, columns)
    for name in machine.sensors:
        sensor, = sensors_of(machine, [name])
        like = [name, *(str(value) for key, value in machine.sensors[name].items()
                        if key in ('body', 'coordinate', 'volume', 'topic')
                        and isinstance(value, str))]
        proposed = (_vector_entry(table, sensor, groups, like) if len(sensor.channels) > 1
                    else _single_entry(table, sensor, columns, like, taken))
        if proposed is None and name in in_order:
            one = in_order[name]
            unit, _ = unit_of(table, [one], sensor.unit)
            proposed = (_entry(one, unit), [one.name], 'by the order of the columns alone: check')
        if proposed is None:
            like = [yaml_text(one.name) for one in columns if one.what == wanted_of(sensor.kind)]
            lines.append(f'  # {name}: {EDIT}      # {sensor.kind} [{sensor.unit or "1"}]: ' + (
                f'one of {", ".join(like)}?' if like else 'no column of the log is like it'))
            continue
        entry, used, why = proposed
        taken |= set(used)
        lines.append(f'  {name}: {entry}' + (f'      # {why}' if why else ''))
    return (lines if taken else [f'  {EDIT}: {EDIT}', *lines]), taken


def _in_order(machine: Mechanism, columns: Sequence[Guess]):
    """Return {sensor: Guess} where as many columns with numbered names are of the same kind."""
    by_sensor = {}
    sensors = [one for one in sensors_of(machine, list(machine.sensors)) if len(one.channels) == 1]
    for what in {wanted_of(sensor.kind) for sensor in sensors}:
        names = [one.name for one in sensors if wanted_of(one.kind) == what]
        groups: dict[str, list[Guess]] = {}
        for one in columns:
            if one.what == what and re.search(r'\d', one.name):
                groups.setdefault(re.sub(r'\d+', '', one.name), []).append(one)
        fitting = [group for group in groups.values() if len(group) == len(names) > 1]
        if len(fitting) == 1:
            by_sensor.update(zip(names, fitting[0], strict=True))
    return by_sensor


def _vector_entry(table: Table, sensor: Sensor, groups: Mapping[str, dict[str, Guess]],
                  like: Sequence[str]):
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
    names = f'[{", ".join(yaml_text(one.name) for one in chosen)}]'
    if sensor.kind == 'accelerometer' and re.search('free|lin|user', stem):
        turned = next((entry for others in groups.values() if (entry := _orientation(others))), '')
        axes_of = 'earth' if 'free' in stem else 'sensor'
        return (f'{{columns: {names}, gravity: left_out, axes: {axes_of}, orientation: '
                f'{turned or EDIT}}}', [one.name for one in chosen],
                'by its name without gravity: check axes and orientation')
    unit, why = unit_of(table, chosen, sensor.unit)
    return (f'{{columns: {names}, unit: {unit}}}' if unit else names,
            [one.name for one in chosen], why)


def _orientation(axes: Mapping[str, Guess]):
    """Return the entry of an orientation of columns by axis, '' where they are none."""
    names = f'[{", ".join(yaml_text(one.name) for one in axes.values())}]'
    stem = next(iter(axes.values())).stem
    if sorted(axes) == sorted('wxyz'):
        return f'{{quaternion: {names}, order: {"".join(axes)}}}'
    if len(axes) == 9:
        return f'{{matrix: {names}}}'
    if sorted(axes) == sorted('xyz') and re.search('euler|rpy|attitude', stem):
        order = ''.join(axes)
        return f'{{euler: {names}, order: {order}, unit: deg}}'
    return ''


def _single_entry(table: Table, sensor: Sensor, columns: Sequence[Guess], like: Sequence[str],
                  taken: set[str]):
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
    return _entry(best, unit), [best.name], why


def _entry(column: Guess, unit: str):
    """Return the entry of a column, '' for a unit that it need not name."""
    name = yaml_text(column.name)
    return f'{{column: {name}, unit: {unit}}}' if unit else name


def _forces(table: Table, machine: Mechanism | None, columns: Sequence[Guess], taken: set[str]):
    """Return the lines of known forces: columns of forces that are like a degree of freedom."""
    lines = []
    for name in machine.independent if machine else ():
        forces = [one for one in columns if one.what == 'force' and one.name not in taken]
        alike = max(forces, key=lambda one: likeness(one.name, [name]), default=None)
        if alike and (likeness(alike.name, [name]) >= _LIKE or machine.g == len(forces) == 1):
            taken.add(alike.name)
            unit, why = unit_of(table, [alike], 'N m' if machine.unit(name) == 'rad' else 'N')
            entry = _entry(alike, unit)
            lines.append(f'  {name}: {entry}      # {why or "if it acts there, and is measured"}')
    return ['known_forces:', *lines] if lines else []


def _rest(table: Table, columns: Sequence[Guess], taken: set[str]):
    """Return comments on the columns that are not used."""
    rest = [one for one in columns if one.name not in taken]
    if not rest:
        return []
    width = max(len(yaml_text(one.name)) for one in rest)
    return ['# Other columns, with their least and largest number and what they are like:', *(
        f'#   {yaml_text(one.name):{width}}  {least:.6g} .. {largest:.6g}  {one.what}'.rstrip()
        for one in rest for least, largest in [range_of(table, one.name)])]
