"""What a file of columns may say of a column and of the rows, and what is read of it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mb_model import Mechanism, Settings, setting
from mb_model.arrays import FloatArray
from mb_sensors.imported.text_form import TextSettings
from mb_sensors.imported.time_settings import TimeSettings
from mb_sensors.sensor import Sensor


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
        found = np.full((len(numbers), len(self.sensor.channels)), np.nan)
        found[known] = self.converted(numbers[known]) if self.converted else numbers[known]
        return found


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
