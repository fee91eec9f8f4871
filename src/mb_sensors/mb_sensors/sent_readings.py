"""Which readings of simulated sensors have been sent, in a file that outlives a killed process."""

from collections.abc import Iterable
import os
import time
from typing import Any

from mb_model.file_api import open_private, remove_private, user_path

_LONGEST = 10.0     # time after which the file is not of an earlier life but of an earlier run [s]


class SentReadings:
    """Stamps of the last readings of each sensor sent by this life and by an earlier one.

    earlier: the last stamp of the earlier life [ns], 0 without one.
    One system call writes all that are sent together, so the file is complete whenever the process
    is killed.
    """

    def __init__(self, path: str, sensors: Iterable[str]) -> None:
        """Open the file of a path, empty for none; sensors: their names.

        Raises ValueError for a file that cannot be written.
        """
        self._path, self._file = user_path(path), None
        self._last = dict.fromkeys(sensors, 0)
        if path:
            try:
                self._file = open_private(self._path, os.O_RDWR | os.O_CREAT)
                stamps = _read(self._file, sensors)
                self._last |= stamps
                if not stamps:
                    os.ftruncate(self._file, 0)
                self._write()       # is on the disk from now on
            except OSError as error:
                raise ValueError(f'checkpoint: {self._path}: {error.strerror}') from None
        self._go_on()

    def _go_on(self):
        """Take all that is sent as sent by an earlier life, up to the stamp `earlier` [ns]."""
        self._earlier = dict(self._last)
        self.earlier = max(self._earlier.values())

    def by_earlier_life(self, sensor: str, stamp: int) -> bool:
        """Return whether an earlier life has sent the reading of a stamp [ns]."""
        return stamp <= self._earlier[sensor]

    def note(self, readings: Iterable[tuple[Any, int, Any]]) -> None:
        """Note that readings (Sensor, stamp [ns], values) are sent."""
        if self._file is None:
            return
        for sensor, stamp, _ in readings:
            self._last[sensor.name] = stamp
        self._write()

    def forget(self) -> None:
        """Forget all that was sent, also by an earlier life."""
        self._last = dict.fromkeys(self._last, 0)
        self._go_on()
        self._write()

    def remove(self) -> None:
        """Remove the file, so that the next life starts fresh."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
            remove_private(self._path)

    def _write(self):
        if self._file is not None:
            # Always the same length: new content covers the old.
            lines = ''.join(f'{sensor} {stamp:020d}\n' for sensor, stamp in self._last.items())
            os.pwrite(self._file, lines.encode(), 0)


def _read(file: int, sensors: Iterable[str]):
    """Return the stamps of sensors in an open file; none if it is old or of other sensors."""
    status = os.fstat(file)
    if time.time() - status.st_mtime > _LONGEST:
        return {}
    try:
        lines = [line.split() for line in os.pread(file, status.st_size, 0).decode().splitlines()]
        stamps = {sensor: int(stamp) for sensor, stamp in lines}
    except ValueError:
        return {}
    return stamps if stamps.keys() == set(sensors) else {}
