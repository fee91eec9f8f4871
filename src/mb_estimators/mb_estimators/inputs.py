"""Known inputs of a filter over time, such as commands of valves."""

from bisect import bisect_right

import numpy as np


class HeldInputs:
    """Inputs (u), each held from its stamp on until the next one; none before the first."""

    def __init__(self, stamps=(), values=()):
        """Set up with stamps (k) [ns], increasing, and inputs (k, u)."""
        self._stamps = [int(stamp) for stamp in stamps]
        self._values = [np.array(row, dtype=np.float64) for row in values]
        if len(self._stamps) != len(self._values):
            raise ValueError(f'{len(self._stamps)} stamps for {len(self._values)} inputs')
        if any(b <= a for a, b in zip(self._stamps, self._stamps[1:], strict=False)):
            raise ValueError('stamps of inputs must increase')

    @property
    def newest(self):
        """The last stamp [ns], None if there is none."""
        return self._stamps[-1] if self._stamps else None

    def remember(self):
        """Return stamps and values, as this can be made of."""
        return self._stamps.copy(), self._values.copy()

    def recall(self, memory):
        """Hold what `remember` has returned."""
        self._stamps, self._values = (list(held) for held in memory)

    def clear(self):
        """Forget all."""
        self._stamps.clear()
        self._values.clear()

    def add(self, stamp, values):
        """Take in inputs (u) from a stamp [ns] on; others of this stamp are replaced."""
        place = bisect_right(self._stamps, stamp)
        if place > 0 and self._stamps[place - 1] == stamp:
            self._values[place - 1] = np.array(values, dtype=np.float64)
            return
        self._stamps.insert(place, stamp)
        self._values.insert(place, np.array(values, dtype=np.float64))

    def between(self, start, stop):
        """Yield (duration [ns], inputs or None) of the times from start to stop [ns], in order."""
        place = bisect_right(self._stamps, start)
        while start < stop:
            held = self._values[place - 1] if place > 0 else None
            end = min(stop, self._stamps[place]) if place < len(self._stamps) else stop
            yield end - start, held
            start, place = end, place + 1

    def forget_before(self, stamp):
        """Forget what no longer holds at a stamp [ns]."""
        last = bisect_right(self._stamps, stamp) - 1
        if last > 0:
            del self._stamps[:last], self._values[:last]
