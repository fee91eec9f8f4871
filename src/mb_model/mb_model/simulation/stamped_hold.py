"""Values that come in stamped messages, such as forces, each held until the next one."""

from bisect import insort
from collections.abc import Mapping
from operator import itemgetter
from typing import Any

_LONGEST_QUEUE = 10_000     # messages of the future that are kept
_FARTHEST = 3_600_000_000_000       # ahead of the last look that a message may be [ns]


class StampedHold:
    """A value for each of some names at any time [ns], as a function of the stamps of messages.

    A message gives values for names, which hold from its stamp on, with the stamp 0 from the next
    look on.  Messages may come ahead of their time, in any order; one that comes after it holds
    from the next look on, unless a newer one has come before.
    """

    def __init__(self, timeout: float = 0.0) -> None:
        """timeout: how long a value holds [s]; 0: until the next one."""
        self._timeout = round(1e9 * timeout)
        self.used = self.late = 0       # messages since the start, and those after their time
        self.clear()

    def clear(self) -> None:
        """Forget all values."""
        self._waiting: list[tuple[int, dict[str, Any]]] = []    # messages in the order of stamps
        self._held: dict[str, tuple[int, Any]] = {}             # name -> (stamp, value)
        self._now = 0

    def add(self, stamp: int, values: Mapping[str, Any]) -> None:
        """Take in a message, a mapping.

        Raises ValueError for a stamp that is implausibly far ahead, and if too many wait already.
        """
        if 0 < self._now < stamp - _FARTHEST:
            raise ValueError(f'stamp {stamp / 1e9:.3f} s is more than an hour ahead')
        if len(self._waiting) == _LONGEST_QUEUE:
            raise ValueError(f'{_LONGEST_QUEUE} messages wait for their time already')
        self.used += 1
        self.late += 0 < stamp < self._now
        insort(self._waiting, (stamp or self._now, dict(values)), key=itemgetter(0))

    def at(self, time: int) -> dict[str, Any]:
        """Return name -> value of those held at a time [ns], not before that of the last look."""
        self._now = time
        while self._waiting and self._waiting[0][0] <= time:
            stamp, values = self._waiting.pop(0)
            for name, value in values.items():
                if name not in self._held or stamp >= self._held[name][0]:
                    self._held[name] = stamp, value
        return {name: value for name, (stamp, value) in self._held.items()
                if not self._timeout or time - stamp < self._timeout}
