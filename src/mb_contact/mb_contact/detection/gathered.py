"""Numbers of one instant that come in parts."""

from collections.abc import Mapping, Sequence

import numpy as np

from mb_model.arrays import FloatArray

_MOST = 100         # instants of which some numbers have come


class Gathered:
    """Gathers numbers by name until an instant has all of them, in any number of messages."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self._partial: dict[int, dict[str, float]] = {}

    def take(self, stamp: int, numbers: Mapping[str, float]) -> list[tuple[int, FloatArray]]:
        """Return [(stamp [ns], numbers in the order of the names)] if they are complete now."""
        known = self._partial.setdefault(stamp, {})
        known.update(numbers)
        if len(known) < len(self._names):
            while len(self._partial) > _MOST:       # a reading is lost: the instant stays partial
                del self._partial[next(iter(self._partial))]
            return []
        del self._partial[stamp]
        return [(stamp, np.array([known[name] for name in self._names]))]
