"""Messages for people to look at: some of many, those of one instant together."""

from functools import partial
from struct import unpack_from
import time

from rclpy.serialization import deserialize_message

from mb_ros.qos import GLANCE_QOS

RATE = 30.0         # of pictures that look like motion [Hz]
_MOST = 10          # doublings or halvings of the period


class Glances:
    """Subscriptions of a node that read no more messages of a topic than some rate.

    Messages are chosen by their stamps, so that simulations that look at the same instants are
    seen at the same ones.  The period of stamps is doubled or halved until it suits the rate.
    """

    def __init__(self, node, rate):
        """Begin without any; rate: of messages of one topic by wall time, about [Hz]."""
        self._node, self._wanted, self._doubled = node, 1.0 / rate, 0
        self._last = {}             # topic -> (stamp [ns], wall time [s]) of the last one taken

    def take(self, message_type, topic, use):
        """Call `use` with messages, which have a header, of a topic; others cost next to nothing.
        """
        self._last[topic] = -1, 0.0
        self._node.create_subscription(
            message_type, topic, partial(self._look, message_type, topic, use), GLANCE_QOS,
            raw=True)

    def _look(self, message_type, topic, use, data):
        period = 1e9 * self._wanted * 2.0 ** self._doubled      # [ns]
        stamp, (before, then) = stamp_in(data), self._last[topic]
        if stamp // period == before // period:
            return
        now = time.monotonic()
        self._last[topic] = stamp, now
        self._adapt(now - then)
        use(deserialize_message(data, message_type))

    def _adapt(self, passed):
        """Change the period of stamps if far less or more wall time has passed than wanted."""
        if passed < 0.5 * self._wanted:
            self._doubled = min(self._doubled + 1, _MOST)
        elif 2.0 * self._wanted < passed < 1.0:     # else: nothing came
            self._doubled = max(self._doubled - 1, -_MOST)


def stamp_in(data):
    """Return the stamp [ns] of a serialized message that begins with a header."""
    seconds, nanoseconds = unpack_from('<iI' if data[1] & 1 else '>iI', data, 4)
    return seconds * 1_000_000_000 + nanoseconds
