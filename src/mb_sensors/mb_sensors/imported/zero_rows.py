"""Rows in which all cells of a sensor are zero: mostly no reading."""

from collections.abc import Sequence

import numpy as np

from mb_model.arrays import BoolArray
from mb_sensors.imported.column_settings import SensorColumns

_NEVER_ZERO = ('accelerometer', 'magnetometer')     # all axes at once, of what is not broken
_FIRST = 2      # rows in which a device may have no reading yet
_NAMED = 5      # rows, at most


class ZeroRows:
    """What the rows of a log, which come some at a time, say of the zeros of a sensor.

    Devices begin so.  Accelerometers and magnetometers in space, and quaternions, never read that;
    of others it is no reading in the first rows, if it never comes again.
    """

    def __init__(self, sensor: SensorColumns) -> None:
        """Begin without a row."""
        self._sensor = sensor
        self._count, self._zeros = 0, 0         # of rows
        self._first: int | None = None          # row that is not zero
        self._comes_again = False
        self._lines: list[int] = []

    def add(self, zero: BoolArray, lines: Sequence[int]) -> None:
        """Add rows: in which of them (k) all cells are zero, and their lines (k)."""
        begin = self._count
        self._count += len(zero)
        self._zeros += int(zero.sum())
        self._lines += [lines[k] for k in np.flatnonzero(zero)[:_NAMED]]
        del self._lines[_NAMED:]
        if self._first is None and not zero.all():
            self._first = begin + int(np.argmin(zero))
        if self._first is not None:
            self._comes_again |= bool(zero[max(0, self._first - begin):].any())

    @property
    def are_no_readings(self) -> bool:
        """Whether rows of zeros are no readings."""
        width, sensor = len(self._sensor.quantities), self._sensor.sensor
        if min(width, len(sensor.channels)) < 2 or self._first is None:
            return False
        if (sensor.kind in _NEVER_ZERO and sensor.dimension == 3) or width == 4:
            return True
        return self._first <= _FIRST and not self._comes_again

    def remarks(self, row_word: str) -> list[str]:
        """Return in words which rows are no readings, if any are."""
        if not self.are_no_readings or not self._zeros:
            return []
        more = ', ...' if self._zeros > _NAMED else ''
        return [f'{self._sensor.sensor.name}: all zero in {self._zeros} rows ({row_word} '
                f'{", ".join(map(str, self._lines))}{more}): no readings']
