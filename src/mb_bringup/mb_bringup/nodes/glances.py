"""Messages for people to look at: some of many, as often as an eye can follow."""

from functools import partial
import time

from rclpy.serialization import deserialize_message

from mb_ros.qos import GLANCE_QOS

RATE = 30.0         # of pictures that look like motion [Hz]


class Glances:
    """Subscriptions of a node that read no more messages of a topic than some rate."""

    def __init__(self, node, rate):
        """Begin without any; rate: of messages of one topic by wall time [Hz]."""
        self._node, self._period, self._due = node, 1.0 / rate, {}

    def take(self, message_type, topic, use):
        """Call `use` with messages of a topic; the others cost next to nothing."""
        self._due[topic] = 0.0
        self._node.create_subscription(
            message_type, topic, partial(self._look, message_type, topic, use), GLANCE_QOS,
            raw=True)

    def _look(self, message_type, topic, use, data):
        now = time.monotonic()
        if now >= self._due[topic]:
            self._due[topic] = now + self._period
            use(deserialize_message(data, message_type))
