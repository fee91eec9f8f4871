"""Messages of a topic that are delivered twice, after processes have lost and found one another."""
from collections import deque

KEPT = 10_000       # messages of a topic that are remembered: what a publisher may keep


class RecordedOnce:
    """Finds which messages of a topic are new, by the time of sending and what they say."""

    def __init__(self):
        self._known, self._order = set(), deque()

    def is_new(self, sent, data):
        """Whether a message (bytes) that was sent at a time [ns] has not come before."""
        key = hash((sent, data))        # a tuple would take three times the memory
        if key in self._known:
            return False
        self._known.add(key)
        self._order.append(key)
        if len(self._order) > KEPT:
            self._known.discard(self._order.popleft())
        return True
