"""The surroundings of a node in a test: they publish what it takes, and subscribe."""

from rclpy.node import Node

from mb_ros.qos import STREAM_QOS


class MessageBench(Node):
    """Publishes messages on topics `sent`, {name: type}, and keeps what comes on `subscribed`.

    received: {topic: messages}.
    """

    def __init__(self, sent, subscribed):
        super().__init__('bench')
        self.received = {topic: [] for topic in subscribed}
        self._publishers_of = {topic: self.create_publisher(kind, topic, STREAM_QOS)
                               for topic, kind in sent.items()}
        for topic, kind in subscribed.items():
            self.create_subscription(kind, topic, self.received[topic].append, STREAM_QOS)

    def publish(self, messages):
        """Publish [(topic, message)]."""
        for topic, message in messages:
            self._publishers_of[topic].publish(message)

    @property
    def count(self):
        """How many messages have come."""
        return sum(map(len, self.received.values()))
