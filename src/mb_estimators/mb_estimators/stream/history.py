"""The history of instants, to go back to when a reading of them comes late."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import field
from typing import Any, Self

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
    def beginning(cls, length: int, stamp: int, after: Any) -> Self:
        """Return a History without readings.

        length, stamp [ns]: before all readings; after: a copy of the state of then.
        """
        return cls(length, [Instant(stamp, {}, after)])

    @property
    def oldest(self) -> Instant:
        """The oldest Instant that can be gone back to."""
        return self.instants[0]

    def append(self, stamp: int, readings: dict[str, Any], after: Any) -> None:
        """Add the newest instant; forget those before the length of the history."""
        instants = self.instants
        instants.append(Instant(stamp, readings, after))
        while instants[1].stamp < stamp - self.length:
            del instants[0]

    def reaches(self, stamp: int) -> bool:
        """Return whether a stamp [ns] is not too long ago."""
        return self.oldest.stamp < stamp and stamp >= self.instants[-1].stamp - self.length

    def has(self, sensor: str, stamp: int) -> bool:
        """Return whether there is a reading of a sensor at a stamp [ns]."""
        k = bisect_left(self.instants, stamp, key=_stamp)
        return (k < len(self.instants) and self.instants[k].stamp == stamp
                and sensor in self.instants[k].readings)

    def add_late(self, sensor: str, stamp: int, values: Sequence[float]) -> None:
        """Add a reading of a past instant."""
        k = bisect_left(self.instants, stamp, key=_stamp)
        if k == len(self.instants) or self.instants[k].stamp != stamp:
            self.instants.insert(k, Instant(stamp, {}, None))
        self.instants[k].readings[sensor] = values
        self.news.setdefault(stamp, []).append(sensor)

    def add_late_input(self, stamp: int) -> None:
        """Note an input that acts from a past stamp [ns] on."""
        self.news.setdefault(stamp + 1, [])

    def since(self, stamp: int) -> tuple[Any, list[Instant]]:
        """Return a copy of the state before a stamp [ns], and the Instants from there on."""
        k = bisect_left(self.instants, stamp, key=_stamp)
        return self.instants[k - 1].after, self.instants[k:]


def _stamp(instant: Instant) -> int:
    return instant.stamp
