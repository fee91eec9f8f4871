"""The instants of the last moments, to go back to when something of them comes late."""

from bisect import bisect_left
from dataclasses import dataclass
from typing import Any

from mb_sensors.sampling import NANOSECONDS


@dataclass(slots=True)
class Instant:
    """A stamp [ns], its readings by sensor, and all that comes after it depends on."""

    stamp: int
    readings: dict[str, Any]
    memory: Any


class History:
    """Instants in the order of their stamps, as far back as a late reading may be."""

    def __init__(self, length, start, memory):
        """Set up.

        length [s]; start: stamp [ns] before all readings; memory: what there is to remember of it.
        """
        self._length = round(length * NANOSECONDS)
        self._instants = [Instant(start, {}, memory)]

    @property
    def oldest(self):
        """The stamp [ns] of the oldest instant, that one goes on from."""
        return self._instants[0].stamp

    @property
    def oldest_memory(self):
        """All that comes after the oldest instant depends on."""
        return self._instants[0].memory

    def append(self, stamp, readings, memory):
        """Add the newest instant; forget those that only later ones than allowed go back to."""
        instants = self._instants
        instants.append(Instant(stamp, readings, memory))
        while instants[1].stamp < stamp - self._length:
            del instants[0]

    def reaches(self, stamp):
        """Tell whether a stamp [ns] is not too long ago."""
        return self.oldest < stamp and stamp >= self._instants[-1].stamp - self._length

    def has(self, sensor, stamp):
        """Tell whether there is a reading of a sensor at a stamp [ns]."""
        place = bisect_left(self._instants, stamp, key=_stamp)
        return (place < len(self._instants) and self._instants[place].stamp == stamp
                and sensor in self._instants[place].readings)

    def add_late(self, sensor, stamp, values):
        """Put a reading where it belongs."""
        place = bisect_left(self._instants, stamp, key=_stamp)
        if place == len(self._instants) or self._instants[place].stamp != stamp:
            self._instants.insert(place, Instant(stamp, {}, None))
        self._instants[place].readings[sensor] = values

    def since(self, stamp):
        """Return the memory of before a stamp [ns], and the Instants from there on."""
        place = bisect_left(self._instants, stamp, key=_stamp)
        return self._instants[place - 1].memory, self._instants[place:]


def _stamp(instant):
    return instant.stamp
