"""Readings of several sensors at stamps in between theirs."""

from bisect import bisect_left

import numpy as np

from mb_model.arrays import FloatArray

_LONGEST = 5000         # readings of a sensor that are kept at most


class ReadingTracks:
    """Readings of sensors, one number each, between which a line goes.

    Across more than `longest_gap` [ns] nothing is known.
    """

    def __init__(self, count: int, longest_gap: int) -> None:
        """Set up for a number of sensors."""
        self._stamps: list[list[int]] = [[] for _ in range(count)]
        self._values: list[list[float]] = [[] for _ in range(count)]
        self._longest_gap = longest_gap

    def add(self, sensor: int, stamp: int, value: float) -> None:
        """Add a reading of a sensor, by its number; the first one of a stamp [ns] counts."""
        stamps, values = self._stamps[sensor], self._values[sensor]
        place = bisect_left(stamps, stamp)
        if place < len(stamps) and stamps[place] == stamp:
            return
        stamps.insert(place, stamp)
        values.insert(place, value)
        if len(stamps) > _LONGEST:
            del stamps[0], values[0]

    @property
    def known(self) -> int | None:
        """The stamp [ns] up to which all sensors have been read, None before the first."""
        if not all(self._stamps):
            return None
        return min(stamps[-1] for stamps in self._stamps)

    def at(self, stamp: int) -> FloatArray | None:
        """Return what the sensors read at a stamp [ns], None where one of them is not known."""
        found = [self._between(stamps, values, stamp)
                 for stamps, values in zip(self._stamps, self._values, strict=True)]
        return None if None in found else np.array(found, dtype=np.float64)

    def forget_before(self, stamp: int) -> None:
        """Forget what no stamp [ns] from this one on needs."""
        for stamps, values in zip(self._stamps, self._values, strict=True):
            last = bisect_left(stamps, stamp) - 1
            if last > 0:
                del stamps[:last], values[:last]

    def _between(self, stamps: list[int], values: list[float], stamp: int) -> float | None:
        place = bisect_left(stamps, stamp)
        if place < len(stamps) and stamps[place] == stamp:
            return values[place]
        if not 0 < place < len(stamps) or stamps[place] - stamps[place - 1] > self._longest_gap:
            return None
        share = (stamp - stamps[place - 1]) / (stamps[place] - stamps[place - 1])
        return values[place - 1] + share * (values[place] - values[place - 1])
