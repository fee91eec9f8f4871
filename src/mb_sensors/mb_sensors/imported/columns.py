"""Files that say what the columns of a log are: sensors, known forces and truth of a mechanism."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mb_model import Mechanism, Settings, load_mechanism, mechanism_names, setting
from mb_model.file_api import NotYamlError, load_yaml, shown, user_path
from mb_sensors.imported.units import TIMES, factor_of
from mb_sensors.selection import sensors_of
from mb_sensors.sensor import Sensor

MOTION = {'position': '', 'velocity': '/s', 'acceleration': '/s^2'}     # of a truth -> unit, per s
_FORCE_UNITS = {'rad': 'N m', 'm': 'N'}
_DELIMITERS = (',', ';', '\t', ' ', '|')
_SECTIONS = ('mechanism', 'time', 'delimiter', 'sensors', 'known_forces', 'truth')


class ColumnsError(ValueError):
    """A mistake in a file of columns; the text names file, key and expectation."""


@dataclass(frozen=True)
class ColumnSettings(Settings):
    """A column: its number c is scale * (c - minus) + offset in its unit."""

    column: str = setting(help='Its name in the first line of the log')
    unit: str = setting('', help='Its unit; empty: as the mechanism has it')
    scale: float = setting(1.0, help='Factor')
    offset: float = setting(0.0, help='What is added then')
    minus: str = setting('', help='A column that is subtracted first; empty: none')


@dataclass(frozen=True)
class TimeSettings(Settings):
    """The time of a row."""

    column: str = setting(help='Its name in the first line of the log')
    unit: str = setting('s', help='Its unit', choices=tuple(TIMES))
    start: float = setting(
        0.0, unit='s', at_least=0.0, help='Stamp of the first row, 0: its time; or 1 s where the '
                                          'log begins before that: 0 means none to ROS')


@dataclass(frozen=True)
class Quantity:
    """A number in every row: factor * (column - minus) + offset; path: of its entry."""

    path: str
    column: str
    minus: str
    factor: float
    offset: float


@dataclass(frozen=True)
class Columns:
    """What the columns of a log are.

    file: for messages; sensors: (Sensor, Quantity of each channel); forces, true_forces: name of a
    degree of freedom -> Quantity; truth: name of each degree of freedom -> {position, ...:
    Quantity}, or empty.
    """

    file: str
    mechanism: Mechanism
    mechanism_name: str
    time: TimeSettings
    delimiter: str
    sensors: list[tuple[Sensor, list[Quantity]]]
    forces: dict[str, Quantity]
    truth: dict[str, dict[str, Quantity]]
    true_forces: dict[str, Quantity]

    @property
    def quantities(self) -> list[Quantity]:
        """All quantities, in order."""
        return [*(one for _, channels in self.sensors for one in channels), *self.forces.values(),
                *(one for motion in self.truth.values() for one in motion.values()),
                *self.true_forces.values()]


def read_columns(file: str | Path) -> Columns:
    """Return the Columns of a YAML file.  Raises OSError, ColumnsError, MechanismError."""
    try:
        raw, twice = load_yaml(Path(file).read_text(encoding='utf-8'))
    except (NotYamlError, UnicodeDecodeError) as error:
        raise ColumnsError(f'{file}: {error}') from None
    if twice:
        raise ColumnsError(f'{file}: {twice}')
    return _Reader(file, raw).read()


class _Reader:
    """Reads the sections of a file."""

    def __init__(self, file, raw):
        self._file = file
        self._raw = self._mapping('', raw)
        for key in self._raw:
            if key not in _SECTIONS:
                self._fail(str(key), f'unknown, expected one of {", ".join(_SECTIONS)}')
        name = self._raw.get('mechanism')
        if not isinstance(name, str):
            self._fail('mechanism', 'must be a name, or the path of a file')
        if name not in mechanism_names():
            beside = Path(file).resolve().parent / name
            name = str(beside if beside.is_file() else user_path(name).absolute())
        self._name, self._mechanism = name, load_mechanism(name)

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
        sensors = self._sensors()
        if not sensors:
            self._fail('sensors', 'missing: expected sensors of the mechanism and their columns')
        return Columns(
            str(self._file), self._mechanism, self._name,
            self._settings('time', TimeSettings, self._raw.get('time')),
            self._delimiter(), sensors, self._forces(), motion,
            {name: of['force'] for name, of in truth.items() if 'force' in of})

    def _sensors(self):
        found = []
        for name, entry in self._section('sensors'):
            self._known(f'sensors.{name}', name, self._mechanism.sensors)
            sensor, = sensors_of(self._mechanism, [name])
            entries = entry if isinstance(entry, list) else [entry]
            if len(entries) != len(sensor.channels):
                self._fail(f'sensors.{name}', f'{len(entries)} columns, expected one for each of '
                           f'{", ".join(sensor.channels)}')
            found.append((sensor, [
                self._quantity(f'sensors.{name}' + (f'[{k}]' if len(entries) > 1 else ''), one,
                               sensor.unit) for k, one in enumerate(entries)]))
        return found

    def _forces(self):
        forces = {}
        for name, entry in self._section('known_forces'):
            path = f'known_forces.{name}'
            self._known(path, name, self._mechanism.independent)
            forces[name] = self._quantity(path, entry, self._force_unit(name))
        return forces

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

    def _force_unit(self, name):
        return _FORCE_UNITS.get(self._mechanism.unit(name), '')

    def _quantity(self, path, entry, unit):
        given = {'column': entry} if isinstance(entry, str) else entry
        if not isinstance(given, Mapping):
            self._fail(path, 'must be the name of a column, or a mapping with `column`; '
                       'what YAML reads as something else, such as off or 1, needs quotes')
        s = self._settings(path, ColumnSettings, given)
        try:
            factor = factor_of(s.unit, unit)
        except ValueError as error:
            self._fail(path, str(error))
        return Quantity(path, s.column, s.minus, factor * s.scale, factor * s.offset)

    def _settings(self, path, settings_class, given):
        values = self._mapping(path, given)
        try:
            return settings_class.from_mapping(values)
        except ValueError as error:
            self._fail(path, str(error))

    def _section(self, name):
        return self._mapping(name, self._raw.get(name, {})).items()

    def _mapping(self, path, value):
        if not isinstance(value, Mapping):
            self._fail(path, 'missing' if value is None else 'must be a mapping')
        return value

    def _delimiter(self):
        value = self._raw.get('delimiter', _DELIMITERS[0])
        if value not in _DELIMITERS:
            self._fail('delimiter', f'{shown(value)} must be one of '
                       f'{", ".join(map(repr, _DELIMITERS))}')
        return value

    def _known(self, path, name, names):
        if name not in names:
            self._fail(path, f'unknown, expected one of {", ".join(names)}')

    def _fail(self, path, message) -> Any:
        raise ColumnsError(f'{self._file}: {path}: {message}' if path
                           else f'{self._file}: {message}')
