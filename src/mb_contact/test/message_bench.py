"""The surroundings of a node in a test: who publishes what it takes, and who listens."""

from rclpy.node import Node

from mb_ros.qos import STREAM_QOS


class MessageBench(Node):
    """Publishes messages on topics, {name: type} of `sent`, and keeps what comes on those `heard`.

    received: {topic: messages}.
    """

    def __init__(self, sent, heard):
        super().__init__('bench')
        self.received = {topic: [] for topic in heard}
        self._publishers_of = {topic: self.create_publisher(kind, topic, STREAM_QOS)
                               for topic, kind in sent.items()}
        for topic, kind in heard.items():
            self.create_subscription(kind, topic, self.received[topic].append, STREAM_QOS)

    def publish(self, messages):
        """Publish [(topic, message)]."""
        for topic, message in messages:
            self._publishers_of[topic].publish(message)

    @property
    def count(self):
        """How many messages have come."""
        return sum(map(len, self.received.values()))
