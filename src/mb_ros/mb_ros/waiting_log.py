"""The log of what a node waits for."""

import time

UNMENTIONED = 2.0       # wall time that others have to come [s]
PERIOD = 5.0            # wall time between two times of saying the same [s]
SHORTEST_PERIOD = 1.0   # between two times of saying anything [s]


class WaitingLog:
    """Logs what a node waits for: after a while, soon when that changes, and now and then."""

    def __init__(self, node):
        """Begin to wait."""
        self._node = node
        self._next = self._next_change = time.monotonic() + UNMENTIONED
        self._logged = None

    def update(self, missing):
        """Log what is missing, in words, if it is time to."""
        now = time.monotonic()
        if now >= (self._next if missing == self._logged else self._next_change):
            self._next, self._next_change = now + PERIOD, now + SHORTEST_PERIOD
            self._logged = list(missing)
            self._node.get_logger().warning(f'waiting for {", ".join(missing)}')
