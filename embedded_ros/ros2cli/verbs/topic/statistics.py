"""Statistics of the last few values."""
from collections import deque
import math


class Window:
    """The last `size` values."""

    def __init__(self, size):
        self._values = deque(maxlen=size)
        self._fresh = False

    def add(self, value):
        """Append a value; the oldest goes when the window is full."""
        self._values.append(value)
        self._fresh = True

    def take(self):
        """All values of the window if one came since the last call, else an empty list."""
        fresh, self._fresh = self._fresh, False
        return list(self._values) if fresh else []


def spread(values):
    """(mean, minimum, maximum, standard deviation) of some values."""
    mean = math.fsum(values) / len(values)
    variance = math.fsum((value - mean) ** 2 for value in values) / len(values)
    return mean, min(values), max(values), math.sqrt(variance)
