"""When a periodic sensor takes its readings, and their numbers."""

from collections.abc import Sequence

from mb_sensors.kind_parts.sensor_kind import SensorError
from mb_sensors.sensor import Sensor

NANOSECONDS = 1_000_000_000
_TOLERANCE = 1e-3      # of a period: stamps are rounded to whole nanoseconds
_ROUNDING = 1000       # by which a reading may be taken beside its instant [ns]


def reading_number(stamp: int, rate: float) -> int:
    """Return the number of the reading that is due at or last before a stamp [ns], at a rate [Hz].

    Counted from the origin of time, so that the number follows from the stamp alone.
    """
    whole, rest = divmod(stamp, NANOSECONDS)
    # Whole seconds apart: wall-clock stamps would leave a double with too few digits for the rest.
    periods = whole * rate
    return int(periods + rest * rate / NANOSECONDS + _TOLERANCE)


def reading_stamp(number: int, rate: float) -> int:
    """Return the stamp [ns] at which a reading is due, at a rate [Hz]."""
    if float(rate).is_integer():
        whole, rest = divmod(number, int(rate))
        return whole * NANOSECONDS + round(rest * NANOSECONDS / rate)
    return round(number / rate * NANOSECONDS)


def readings_between(before: int | None, stamp: int, rate: float) -> range:
    """Return the numbers of the readings due after a stamp [ns] and up to another one, a range.

    before: None for none: the reading that is due at `stamp`, if there is one.
    """
    last = _last_due(stamp, rate)
    if before is None:
        return range(last, last + 1) if is_due(last, stamp, rate) else range(0)
    return range(_last_due(before, rate) + 1, last + 1)


def is_due(number: int, stamp: int, rate: float) -> bool:
    """Return whether a reading is due at a stamp [ns], but for the rounding of stamps."""
    return abs(reading_stamp(number, rate) - stamp) <= _ROUNDING


def _last_due(stamp: int, rate: float) -> int:
    """Return the number of the last reading due up to a stamp [ns]."""
    number = reading_number(stamp, rate)
    return number - (reading_stamp(number, rate) > stamp + _ROUNDING)


def numbers_at(sensor: Sensor, stamps: Sequence[int]) -> list[int | None]:
    """Return the numbers of the readings of a Sensor at stamps [ns] (k), None where none is due.

    Counted from the origin of time if these readings fall on stamps, as a driver's do; else the
    first reading is at the first stamp.  Raises SensorError unless every reading falls on
    a stamp.
    """
    numbers = _numbers_from(0, stamps, sensor.rate)
    if numbers is None:
        numbers = _numbers_from(stamps[0], stamps, sensor.rate)
    if numbers is None:
        raise SensorError(_off_instants(sensor, stamps))
    return numbers


def _numbers_from(origin: int, stamps: Sequence[int], rate: float) -> list[int | None] | None:
    """Return the same as numbers_at, or None, for readings at n / rate after an origin [ns]."""
    first = reading_number(origin, rate)
    numbers, before = [], None
    for stamp in stamps:
        since = stamp - origin
        due = readings_between(before, since, rate)
        before = since
        if len(due) > 1 or (len(due) and not is_due(due[0], since, rate)):
            return None
        numbers.append(first + due[0] if len(due) else None)
    return numbers


def _off_instants(sensor: Sensor, stamps: Sequence[int]) -> str:
    """Return what is wrong with a rate whose readings do not fall on stamps, in words."""
    step = (stamps[-1] - stamps[0]) / (len(stamps) - 1) / NANOSECONDS
    most = 1.0 / step
    near = sorted({most / max(1, round(most / sensor.rate + shift)) for shift in (-0.5, 0.5)})
    fitting = [text for text in (f'{rate:.12g}' for rate in near)
               if _numbers_from(stamps[0], stamps, float(text)) is not None]
    advice = f'a rate such as {" or ".join(fitting)} Hz, or ' if fitting else ''
    return (f'{sensor.name}.rate: {sensor.rate:g} Hz: a reading every {1.0 / sensor.rate:g} s does '
            f'not fall on the instants of the motion, which are {step:g} s apart: expected '
            f'{advice}instants {1.0 / sensor.rate:.12g} s apart')


class Sampler:
    """Finds the stamps at which a periodic event is due, at or last before the stamp."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._last: int | None = None

    def due(self, stamp: int) -> int | None:
        """Return its number at this stamp [ns], or None.

        Stamps that do not advance give none.
        """
        number = reading_number(stamp, self._rate)
        if self._last is not None and number <= self._last:
            return None
        self._last = number
        return number
