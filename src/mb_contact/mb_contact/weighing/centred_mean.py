"""Means of a force over a time about an instant."""

from collections import deque

import numpy as np

from mb_model.arrays import FloatArray


class CentredMeans:
    """Means of what is added from half a window before a stamp to half a window after it."""

    def __init__(self, window: float) -> None:
        """Set up; window [s]: 0.0 for the values themselves."""
        self._half = round(5e8 * window)
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self._values: deque[tuple[int, FloatArray]] = deque()
        self._wanted: deque[int] = deque()

    def add(self, stamp: int, value: FloatArray, wanted: bool) -> list[tuple[int, FloatArray]]:
        """Add a value (k) at a stamp [ns], later than all before; return means that are complete.

        wanted: whether there shall be a mean about this stamp.
        """
        self._values.append((stamp, value))
        if wanted:
            self._wanted.append(stamp)
        found = []
        while self._wanted and self._wanted[0] + self._half <= stamp:
            centre = self._wanted.popleft()
            while self._values[0][0] < centre - self._half:
                self._values.popleft()
            found.append((centre, np.mean([value for at, value in self._values
                                           if at <= centre + self._half], axis=0)))
        return found
