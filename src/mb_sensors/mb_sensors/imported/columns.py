"""Files that say what the columns of a log are: sensors, known forces and truth of a mechanism."""

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from mb_model import load_mechanism, mechanism_names
from mb_model.file_api import UNITS, NotYamlError, load_yaml, user_path
from mb_sensors.imported.column_settings import (
    Columns,
    ColumnsError,
    ColumnSettings,
    MinusSettings,
    Quantity,
    RowSettings,
    SensorColumns,
    TimeSettings,
)
from mb_sensors.imported.orientation_columns import (
    FORMS,
    OrientationSettings,
    orientation_columns,
    orientation_of_list,
)
from mb_sensors.imported.text_form import TextSettings
from mb_sensors.imported.units import ATMOSPHERE, factor_of
from mb_sensors.imported.without_gravity import (
    GRAVITY_LEFT_OUT,
    GravitySettings,
    gravity_added,
)
from mb_sensors.selection import sensors_of

MOTION = {'position': '', 'velocity': '/s', 'acceleration': '/s^2'}     # of a truth -> unit, per s
_FORCE_UNITS = {'rad': 'N m', 'm': 'N'}
_WHITE = {'\t': 'tab', ' ': 'blanks'}        # delimiters as they are
_TEXT = ('delimiter', 'decimal', 'encoding', 'header')
_SECTIONS = ('mechanism', 'time', *_TEXT, 'names', 'rows', 'sensors', 'known_forces', 'commands',
             'truth')


def read_columns(file: str | Path) -> Columns:
    """Return the Columns of a YAML file.  Raises OSError, ColumnsError, MechanismError."""
    try:
        raw, twice = load_yaml(Path(file).read_text(encoding='utf-8'))
    except (NotYamlError, UnicodeDecodeError) as error:
        raise ColumnsError(f'{file}: {error}') from None
    if twice:
        raise ColumnsError(f'{file}: {twice}')
    return _Reader(file, raw).read()


def mechanism_beside(file: str | Path, name: str) -> str:
    """Return the name of a mechanism that a file names: its path where it is a file."""
    if name in mechanism_names():
        return name
    beside = Path(file).resolve().parent / name
    return str(beside if beside.is_file() else user_path(name).absolute())


class _Reader:
    """Reads the sections of a file."""

    def __init__(self, file: str | Path, raw: Any) -> None:
        self._file = file
        self._raw = self._mapping('', raw)
        for key in self._raw:
            if key not in _SECTIONS:
                self._fail(str(key), f'unknown, expected one of {", ".join(_SECTIONS)}')
        name = self._raw.get('mechanism')
        if not isinstance(name, str):
            self._fail('mechanism', 'must be a name, or the path of a file')
        self._name = mechanism_beside(file, name)
        self._mechanism = load_mechanism(self._name)

    def read(self):
        """Return the Columns."""
        truth = self._truth()
        motion = {name: {what: one for what, one in of.items() if what in MOTION}
                  for name, of in truth.items()}
        motion = {name: of for name, of in motion.items() if of}
        for name in self._mechanism.independent if motion else ():
            if 'position' not in motion.get(name, {}):
                self._fail(f'truth.{name}.position', 'missing: a true motion needs the positions '
                           f'of {", ".join(self._mechanism.independent)}')
        sensors = [self._sensor(name, entry) for name, entry in self._section('sensors')]
        if not sensors:
            self._fail('sensors', 'missing: expected sensors of the mechanism and their columns')
        time = self._raw.get('time')
        for key in ('column', 'nanoseconds', 'received'):
            time = self._with_text(time, key)
        rows, where = self._rows()
        return Columns(
            str(self._file), self._mechanism, self._name,
            self._settings('time', TimeSettings, time),
            self._settings('', TextSettings, {
                key: _WHITE.get(self._raw[key], self._raw[key])
                for key in _TEXT if key in self._raw}),
            self._names('names', self._raw.get('names', [])), rows, where, sensors,
            self._forces(), self._commands(), motion,
            {name: of['force'] for name, of in truth.items() if 'force' in of})

    def _rows(self):
        """Return (RowSettings, {column: text that it has in rows that are read})."""
        given = dict(self._mapping('rows', self._raw.get('rows', {})))
        where = self._mapping('rows.where', given.pop('where', {}))
        if 'without' in given:
            given['without'] = self._names('rows.without', given['without'])
        return self._settings('rows', RowSettings, given), {
            str(name): str(value) for name, value in where.items()}

    def _sensor(self, name: str, entry: Any):
        path = f'sensors.{name}'
        self._known(path, name, self._mechanism.sensors)
        sensor, = sensors_of(self._mechanism, [name])
        fail = partial(self._fail, path)
        if sensor.is_rotation:
            if isinstance(entry, Mapping) and 'column' not in entry:
                given = {key: self._names(f'{path}.{key}', value) if key in FORMS else value
                         for key, value in entry.items()}
                columns = orientation_columns(
                    self._settings(path, OrientationSettings, given), fail)
            else:
                columns = orientation_of_list(self._names(
                    path, [one['column'] if isinstance(one, Mapping) and 'column' in one else one
                           for one in (entry if isinstance(entry, list) else [entry])]), fail)
            return SensorColumns(sensor, self._plain(path, columns.names),
                                 lambda numbers: columns.rotations(numbers).as_rotvec())
        common = dict(entry) if isinstance(entry, Mapping) and 'columns' in entry else {}
        entries = common.pop('columns', entry if isinstance(entry, list) else [entry])
        gravity = self._settings(path, GravitySettings, {
            key: common.pop(key) for key in ('gravity', 'axes') if key in common})
        earth = common.pop('orientation', None)
        if not isinstance(entries, list) or len(entries) != len(sensor.channels):
            count = len(entries) if isinstance(entries, list) else 1
            fail(f'{count} columns, expected one for each of {", ".join(sensor.channels)}')
        quantities = [self._quantity(path + (f'[{k}]' if len(entries) > 1 else ''),
                                     {**common, 'column': one} if common else one, sensor.unit)
                      for k, one in enumerate(entries)]
        if gravity.gravity and sensor.kind != 'accelerometer':
            fail('gravity: only of an accelerometer')
        if gravity.gravity != GRAVITY_LEFT_OUT:
            return SensorColumns(sensor, quantities, gravity=gravity.gravity)
        given = {key: self._names(f'{path}.orientation.{key}', value) if key in FORMS else value
                 for key, value in self._mapping(f'{path}.orientation', earth).items()}
        columns = orientation_columns(self._settings(
            f'{path}.orientation', OrientationSettings, given), fail)
        if sensor.dimension != 3 or sensor.axes != ('x', 'y', 'z'):
            fail(f'gravity: {GRAVITY_LEFT_OUT}: only of a mechanism in space, and of three axes')
        return SensorColumns(
            sensor, [*quantities, *self._plain(f'{path}.orientation', columns.names)],
            gravity_added(columns, self._mechanism.gravity, gravity.axes), gravity.gravity)

    def _plain(self, path: str, names: Iterable[str]):
        """Return quantities of columns as they are."""
        return [Quantity(path, name, '', 1.0, 0.0, 0.0, '', True) for name in names]

    def _forces(self):
        forces = {}
        for name, entry in self._section('known_forces'):
            path = f'known_forces.{name}'
            self._known(path, name, self._mechanism.independent)
            forces[name] = self._quantity(path, entry, self._force_unit(name))
        return forces

    def _commands(self):
        circuit = self._mechanism.circuit
        valves = circuit.valves if circuit else ()
        commands = {}
        for name, entry in self._section('commands'):
            if name not in valves:
                self._fail(f'commands.{name}', f'unknown, expected each of {", ".join(valves)}'
                           if valves else 'the mechanism has no valves with commands')
            commands[name] = self._quantity(f'commands.{name}', entry, '1')
        if commands and len(commands) < len(valves):
            self._fail('commands', f'of {", ".join(commands)}, expected each of '
                       f'{", ".join(valves)}')
        return commands

    def _truth(self):
        truth = {}
        for name, entry in self._section('truth'):
            self._known(f'truth.{name}', name, self._mechanism.independent)
            truth[name] = {}
            for what, one in self._mapping(f'truth.{name}', entry).items():
                path = f'truth.{name}.{what}'
                self._known(path, what, (*MOTION, 'force'))
                unit = (self._force_unit(name) if what == 'force'
                        else self._mechanism.unit(name) + MOTION[what])
                truth[name][what] = self._quantity(path, one, unit)
        return truth

    def _force_unit(self, name: str):
        return _FORCE_UNITS.get(self._mechanism.unit(name), '')

    def _quantity(self, path: str, entry: Any, unit: str):
        given = {'column': entry} if _is_name(entry) else entry
        if not isinstance(given, Mapping):
            self._fail(path, 'must be the name of a column, or a mapping with `column`; '
                       'what YAML reads as something else, such as off, needs quotes')
        given = self._with_text(given, 'column')
        minus = given.pop('minus', '')
        if not isinstance(minus, Mapping):
            given['minus'] = str(minus) if _is_name(minus) else minus
        s = self._settings(path, ColumnSettings, given)
        try:
            factor = factor_of(s.unit, unit)
        except ValueError as error:
            self._fail(path, str(error))
        if s.gauge and unit != 'Pa':
            self._fail(path, 'gauge: only of a pressure')
        subtracted, minus_factor = s.minus, factor * s.scale if s.minus else 0.0
        if isinstance(minus, Mapping):
            one = self._settings(f'{path}.minus', MinusSettings, self._with_text(minus, 'column'))
            subtracted, minus_factor = one.column, factor * one.scale
        return Quantity(path, s.column, subtracted, factor * s.scale, minus_factor,
                        factor * s.offset + (ATMOSPHERE if s.gauge else 0.0), unit,
                        bool(s.unit or unit not in UNITS or s.scale != 1.0))

    def _settings(self, path: str, settings_class: type, given: Any):
        values = self._mapping(path, given)
        try:
            return settings_class.from_mapping(values)
        except ValueError as error:
            self._fail(path, str(error))

    def _with_text(self, given: Any, key: str):
        """Return a mapping with a name that may be a number; others as they are."""
        if isinstance(given, Mapping) and _is_name(given.get(key)):
            return {**given, key: str(given[key])}
        return given

    def _names(self, path: str, value: Any):
        """Return a list of names of columns, or of rows, which may be numbers."""
        if not isinstance(value, list) or not all(map(_is_name, value)):
            self._fail(path, 'must be a list of names or numbers')
        return [str(one) for one in value]

    def _section(self, name: str):
        return self._mapping(name, self._raw.get(name, {})).items()

    def _mapping(self, path: str, value: Any):
        if not isinstance(value, Mapping):
            self._fail(path, 'missing' if value is None else 'must be a mapping')
        return value

    def _known(self, path: str, name: str, names: Iterable[str]):
        if name not in names:
            self._fail(path, f'unknown, expected one of {", ".join(names)}')

    def _fail(self, path: str, message: str) -> Any:
        raise ColumnsError(f'{self._file}: {path}: {message}' if path
                           else f'{self._file}: {message}')


def _is_name(value: Any):
    """Return whether a value is the name or the number of a column."""
    return isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))
