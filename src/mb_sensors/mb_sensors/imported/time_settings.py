"""What a file of columns says of the time of a row, and what names and headers say of it."""

from collections.abc import Sequence
from dataclasses import dataclass
import re

from mb_model import Settings, setting
from mb_ros.checked_stamps import POLICIES, REFUSE
from mb_sensors.imported.units import TIMES

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
