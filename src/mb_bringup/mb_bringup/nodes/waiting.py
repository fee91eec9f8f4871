"""Saying what is waited for."""

import time

UNMENTIONED = 2.0       # wall time that others have to come [s]
PERIOD = 5.0            # wall time between two times of saying the same [s]


class Waiting:
    """Tells the log what a node waits for: soon, at once when that changes, now and then."""

    def __init__(self, node):
        """Begin to wait."""
        self._node = node
        self._next = time.monotonic() + UNMENTIONED
        self._told = None

    def tell(self, absent):
        """Say what is absent, in words, if it is time to."""
        now = time.monotonic()
        if now >= self._next or (self._told is not None and absent != self._told):
            self._next, self._told = now + PERIOD, list(absent)
            self._node.get_logger().warning(f'waiting for {", ".join(absent)}')
