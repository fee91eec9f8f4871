"""Messages that the middleware delivers twice."""

from collections import deque
from collections.abc import Hashable, Mapping
from typing import Any

from mb_ros.qos import DEEPEST


class DeliveredOnce:
    """Finds which messages of a subscription are new.

    After a standstill of more than ten seconds processes lose and find one another again; what a
    publisher keeps for late readers then comes a second time.
    """

    def __init__(self) -> None:
        self._known: set[int] = set()
        self._order: deque[int] = deque()

    def is_new(self, info: Mapping[str, Any], stamp: Hashable) -> bool:
        """Return whether a message has not come before.

        info: its MessageInfo of rclpy; stamp: of the message, anything hashable.
        """
        sent = info['source_timestamp']
        if not sent:                # unknown to the middleware
            return True
        key = hash((sent, stamp))       # a tuple would take three times the memory
        if key in self._known:
            return False
        self._known.add(key)
        self._order.append(key)
        if len(self._order) > DEEPEST:      # what a publisher keeps comes in its order
            self._known.discard(self._order.popleft())
        return True
