"""Messages for people to look at: some of many, with all of one instant together."""

from collections.abc import Callable
from functools import partial
import time
from typing import Any

from rclpy.node import Node
from rclpy.serialization import deserialize_message

from mb_ros.qos import GLANCE_QOS
from mb_ros.stamp_jump_guard import FAR, StampJumpGuard
from mb_ros.stamps import MalformedStampError, serialised_stamp

RATE = 30.0         # of pictures that look like motion [Hz]
_MOST = 10          # doublings or halvings of the period
_PERIOD = 100_000_000       # a tenth of the gap between two stamps that needs no other [ns]
_BEHIND = 1_000_000_000     # stamps farther behind are of a time that begins anew [ns]


class Glances:
    """Subscriptions of a node that read messages of a topic at a limited rate.

    Messages are chosen by their stamps, so that simulations that look at the same instants are
    seen at the same ones.  The period of stamps is doubled or halved until it suits the rate.
    """

    def __init__(self, node: Node, rate: float):
        """Begin without any; rate: of messages of one topic by wall time, about [Hz]."""
        self._node, self._wanted, self._doubled = node, 1.0 / rate, 0
        self._last = {}             # topic -> (stamp [ns], wall time [s]) of the last one taken

    def take(self, message_type: type, topic: str, use: Callable[[Any], None]):
        """Call `use` with messages, which have a header, of a topic; others cost next to nothing.
        """
        self._last[topic] = -1, 0.0
        guard = StampJumpGuard(_PERIOD, FAR, _BEHIND)
        self._node.create_subscription(
            message_type, topic, partial(self._on_message, guard, message_type, topic, use),
            GLANCE_QOS, raw=True)

    def _on_message(self, guard: StampJumpGuard, message_type: type, topic: str,
                    use: Callable[[Any], None], data: bytes):
        """Look at a message whose stamp can be believed."""
        try:
            stamp = serialised_stamp(data)
        except MalformedStampError as error:
            self._node.get_logger().warning(f'{topic}: {error}', throttle_duration_sec=5.0)
            return
        if guard.goes_on(stamp):
            self._look(message_type, topic, use, stamp, data)
            return
        for at, one in guard.take(stamp, data).believed:
            self._look(message_type, topic, use, at, one)

    def _look(self, message_type: type, topic: str, use: Callable[[Any], None], stamp: int,
              data: bytes):
        period = 1e9 * self._wanted * 2.0 ** self._doubled      # [ns]
        before, then = self._last[topic]
        if stamp // period == before // period:
            return
        now = time.monotonic()
        self._last[topic] = stamp, now
        self._adapt(now - then)
        use(deserialize_message(data, message_type))

    def _adapt(self, passed: float):
        """Change the period of stamps if far less or more wall time has passed than wanted."""
        if passed < 0.5 * self._wanted:
            self._doubled = min(self._doubled + 1, _MOST)
        elif 2.0 * self._wanted < passed < 1.0:     # else: nothing came
            self._doubled = max(self._doubled - 1, -_MOST)
