"""What a file of columns may say of columns, of rows and their time, and what is read of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
import re

import numpy as np

from mb_model import Mechanism, Settings, setting
from mb_model.arrays import FloatArray
from mb_ros.checked_stamps import POLICIES, REFUSE
from mb_sensors.imported.text_form import TextSettings
from mb_sensors.imported.units import TIMES
from mb_sensors.sensor import Sensor

COUNTER, DATE, GUESSED = 'counter', 'date', 'guessed'
STAMP = 'stamp_ns'          # column of bags: of the header, else when the message was received
_COUNTS = re.compile(r'(^|_)((packet|sample|frame|row|sequence)_?)?'
                     r'(counter|count|cnt|seq|sequence|number|nr|index|idx)$|^(packet|frame|n|no)$')
_RATE = re.compile(r'rate\b[^0-9]{0,12}([0-9]+(?:[.,][0-9]+)?)\s*hz', re.IGNORECASE)

_NANOSECONDS = re.compile(r'(.*?)(?:nano_?sec(?:ond)?s?|nanos|n_?secs?)', re.IGNORECASE)
_SECONDS = re.compile(r'(.*?)(?:sec(?:ond)?s?)', re.IGNORECASE)


@dataclass(frozen=True)
class TimeSettings(Settings):
    """The time of a row: of a column, or by the rate of the rows."""

    column: str = setting('', help='Its name; none: rows come at `rate`')
    unit: str = setting(GUESSED, help=f'Its unit; {COUNTER}: it counts at `rate`; {DATE}: it has '
                                      f'dates (ISO 8601) or times of a day; {GUESSED}: by its name '
                                      'and numbers', choices=(*TIMES, COUNTER, DATE, GUESSED))
    nanoseconds: str = setting('', help='A column of nanoseconds, where the other has whole '
                                        'seconds; none: the other has all')
    received: str = setting('', help='A column of times at which rows came, in the unit that its '
                                     'name says, else in `unit`')
    stamps: str = setting(REFUSE, choices=POLICIES,
                          help='What becomes of stamps that no clock shows')
    rate: float = setting(0.0, unit='Hz', at_least=0.0,
                          help='Of the rows, or of the counter; 0: as the lines above the columns '
                               'say it')
    bits: int = setting(0, at_least=0, at_most=64,
                        help='Of a clock or counter that wraps; 0: guessed where it goes back')
    start: float = setting(
        0.0, unit='s', at_least=0.0, help='Stamp of the first row, 0: its time; or 1 s where the '
                                          'log begins before that: 0 means none to ROS')


def rate_in(lines: Sequence[str]) -> tuple[float, str]:
    """Return (rate [Hz], line) of the first line, above a table, that says it; 0 for none."""
    for line in lines:
        if match := _RATE.search(line):
            return float(match[1].replace(',', '.')), line
    return 0.0, ''


def parts_in(names: Sequence[str]) -> tuple[str, str] | None:
    """Return the names of columns of seconds and nanoseconds of the same time, None for none."""
    for nanoseconds in names:
        match = _NANOSECONDS.fullmatch(nanoseconds)
        seconds = [] if match is None else [
            name for name in names if (of := _SECONDS.fullmatch(name)) and of[1] == match[1]]
        if seconds:
            return seconds[0], nanoseconds
    return None


def is_counter(name: str) -> bool:
    """Return whether a name is of a column that counts rows."""
    return bool(_COUNTS.search(re.sub(r'(?<=[a-z])(?=[A-Z])', '_', name.strip()).lower()))


class ColumnsError(ValueError):
    """A mistake in a file of columns; the text names file, key and expectation."""


@dataclass(frozen=True)
class ColumnSettings(Settings):
    """A column: its number c is scale * (c - minus) + offset in its unit."""

    column: str = setting(help='Its name, or its number where no line names columns')
    unit: str = setting('', help='Its unit; empty: as the mechanism has it')
    scale: float = setting(1.0, help='Factor')
    offset: float = setting(0.0, help='What is added then')
    minus: str = setting('', help='A column that is subtracted first; empty: none')
    gauge: bool = setting(False, help='Whether it is a pressure above the atmosphere, 101325 Pa')


@dataclass(frozen=True)
class MinusSettings(Settings):
    """A column with a scale of its own, which is subtracted in the unit of the other."""

    column: str = setting(help='Its name')
    scale: float = setting(1.0, help='Factor')


@dataclass(frozen=True)
class RowSettings(Settings):
    """Which rows are read, by their numbers from 1 on below the names of the columns."""

    first: int = setting(1, at_least=1, help='The first one that is read')
    last: int = setting(0, at_least=0, help='The last one, 0: of the log')
    without: tuple[str, ...] = setting((), help="Numbers and ranges, such as '7' and '20-31'")


@dataclass(frozen=True)
class Quantity:
    """A number in every row: factor * column - minus_factor * minus + offset; path: of its entry.

    stated: whether a unit or a scale is given; unit: that it is wanted in.
    """

    path: str
    column: str
    minus: str
    factor: float
    minus_factor: float
    offset: float
    unit: str
    stated: bool


@dataclass(frozen=True)
class SensorColumns:
    """Where the readings of a Sensor come from.

    quantities: numbers of a row, one for each channel, or what `converted` makes the channels of:
    (k, quantities) -> (k, channels), ValueErrors with an attribute `row`; gravity: '' or what
    is said of it.
    """

    sensor: Sensor
    quantities: list[Quantity]
    converted: Callable[[FloatArray], FloatArray] | None = None
    gravity: str = ''

    def readings(self, numbers: FloatArray) -> FloatArray:
        """Return the readings (k, channels) of numbers (k, quantities): NaN where any is."""
        known = np.isfinite(numbers).all(axis=1)
        values = np.full((len(numbers), len(self.sensor.channels)), np.nan)
        values[known] = self.converted(numbers[known]) if self.converted else numbers[known]
        return values


@dataclass(frozen=True)
class Columns:
    """What the columns of a log are.

    file: for messages; forces, true_forces: name of a degree of freedom -> Quantity; commands: name
    of a valve -> Quantity; truth: name of each degree of freedom -> {position, ...: Quantity}, or
    empty; names: of the columns, where the log has none; where: column -> its value in rows that
    are read.
    """

    file: str
    mechanism: Mechanism
    mechanism_name: str
    time: TimeSettings
    text: TextSettings
    names: list[str]
    rows: RowSettings
    where: dict[str, str]
    sensors: list[SensorColumns]
    forces: dict[str, Quantity]
    commands: dict[str, Quantity]
    truth: dict[str, dict[str, Quantity]]
    true_forces: dict[str, Quantity]

    @property
    def quantities(self) -> list[Quantity]:
        """All quantities, in order."""
        return [*(one for sensor in self.sensors for one in sensor.quantities),
                *self.forces.values(), *self.commands.values(),
                *(one for motion in self.truth.values() for one in motion.values()),
                *self.true_forces.values()]
