"""Known inputs of a filter over time, such as commands of valves."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import field

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.state import state_class
from mb_model.arrays import FloatArray


@state_class
class HeldInputs:
    """Inputs (u), each held from its stamp on until the next one; none before the first.

    stamps (k) [ns], increasing; values: inputs (k, u).
    """

    stamps: list[int] = field(default_factory=list)
    values: list[np.ndarray] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.stamps = [int(stamp) for stamp in self.stamps]
        self.values = [np.array(row, dtype=np.float64) for row in self.values]
        if len(self.stamps) != len(self.values):
            raise ValueError(f'{len(self.stamps)} stamps for {len(self.values)} inputs')
        if any(b <= a for a, b in zip(self.stamps, self.stamps[1:], strict=False)):
            raise ValueError('stamps of inputs must increase')

    @property
    def newest(self) -> int | None:
        """The last stamp [ns], None if there is none."""
        return self.stamps[-1] if self.stamps else None

    def add(self, stamp: int, values: ArrayLike) -> None:
        """Add inputs (u) from a stamp [ns] on; others of this stamp are replaced."""
        place = bisect_right(self.stamps, stamp)
        if place > 0 and self.stamps[place - 1] == stamp:
            self.values[place - 1] = np.array(values, dtype=np.float64)
            return
        self.stamps.insert(place, stamp)
        self.values.insert(place, np.array(values, dtype=np.float64))

    def between(self, start: int, stop: int) -> Iterator[tuple[int, FloatArray | None]]:
        """Yield (duration [ns], mean inputs or None) of the times from start to stop [ns].

        They are in order, and none goes beyond a stamp.
        """
        place = bisect_right(self.stamps, start)
        while start < stop:
            end = min(stop, self.stamps[place]) if place < len(self.stamps) else stop
            yield end - start, self._mean(start, end)
            start, place = end, place + 1

    def parts(self, start: int, gap: int, mean: FloatArray | None,
              count: int) -> Sequence[FloatArray | None]:
        """Return the means of equal parts of a gap [ns] from start on, as `between` yields it."""
        return count * [mean]

    def at(self, stamp: int) -> FloatArray | None:
        """Return inputs (u) that are to act anew at a stamp [ns]: None, they hold by themselves."""
        return None

    def acts_from(self, stamp: int) -> int:
        """Return the stamp [ns] from which on inputs of a stamp make a difference."""
        return stamp

    def forget_before(self, stamp: int) -> None:
        """Forget what no longer holds at a stamp [ns]."""
        last = bisect_right(self.stamps, stamp) - 1
        if last > 0:
            del self.stamps[:last], self.values[:last]

    def _mean(self, start: int, end: int) -> FloatArray | None:
        """Return the mean (u) over a time between two stamps, None where it is not known."""
        place = bisect_right(self.stamps, start)
        return self.values[place - 1] if place > 0 else None
