"""The history of instants, to go back to when a reading of them comes late."""

from bisect import bisect_left
from dataclasses import field
from typing import Any

from mb_estimators.state import state_class


@state_class
class Instant:
    """A stamp [ns], its readings by sensor, and a copy of the state that comes after it."""

    stamp: int
    readings: dict[str, Any]
    after: Any


@state_class
class History:
    """Instants in the order of their stamps, as far back as a late reading may be.

    length [ns]; news: stamp -> sensors with a late reading that the filter does not know yet.
    """

    length: int
    instants: list[Instant]
    news: dict[int, list[str]] = field(default_factory=dict)

    @classmethod
    def beginning(cls, length, stamp, after):
        """Return a History without readings.

        length, stamp [ns]: before all readings; after: a copy of the state of then.
        """
        return cls(length, [Instant(stamp, {}, after)])

    @property
    def oldest(self):
        """The oldest Instant that can be gone back to."""
        return self.instants[0]

    def append(self, stamp, readings, after):
        """Add the newest instant; forget those before the length of the history."""
        instants = self.instants
        instants.append(Instant(stamp, readings, after))
        while instants[1].stamp < stamp - self.length:
            del instants[0]

    def reaches(self, stamp):
        """Return whether a stamp [ns] is not too long ago."""
        return self.oldest.stamp < stamp and stamp >= self.instants[-1].stamp - self.length

    def has(self, sensor, stamp):
        """Return whether there is a reading of a sensor at a stamp [ns]."""
        place = bisect_left(self.instants, stamp, key=_stamp)
        return (place < len(self.instants) and self.instants[place].stamp == stamp
                and sensor in self.instants[place].readings)

    def add_late(self, sensor, stamp, values):
        """Add a reading of a past instant."""
        place = bisect_left(self.instants, stamp, key=_stamp)
        if place == len(self.instants) or self.instants[place].stamp != stamp:
            self.instants.insert(place, Instant(stamp, {}, None))
        self.instants[place].readings[sensor] = values
        self.news.setdefault(stamp, []).append(sensor)

    def add_late_input(self, stamp):
        """Note an input that acts from a past stamp [ns] on."""
        self.news.setdefault(stamp + 1, [])

    def since(self, stamp):
        """Return a copy of the state before a stamp [ns], and the Instants from there on."""
        place = bisect_left(self.instants, stamp, key=_stamp)
        return self.instants[place - 1].after, self.instants[place:]


def _stamp(instant):
    return instant.stamp
