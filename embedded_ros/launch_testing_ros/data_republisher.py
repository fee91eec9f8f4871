"""Messages passed on, with a change."""


class DataRepublisher:
    """Publishes what a function makes of each message of a topic (None: nothing)."""

    def __init__(self, node, listen_topic, publish_topic, msg_type, transform_fn):
        self._node = node
        self._transform = transform_fn
        self._received = []
        self._republished = []
        self._publisher = node.create_publisher(msg_type, publish_topic, 10)
        self._subscription = node.create_subscription(
            msg_type, listen_topic, self._on_message, 10)

    def _on_message(self, message):
        self._received.append(message)
        changed = self._transform(message)
        if changed is not None:
            self._republished.append(changed)
            self._publisher.publish(changed)

    def get_num_received(self):
        return len(self._received)

    def get_num_republished(self):
        return len(self._republished)

    def get_republished(self):
        """Return the published messages."""
        return list(self._republished)

    def shutdown(self):
        """Take the publisher and the subscription off the node."""
        self._node.destroy_subscription(self._subscription)
        self._node.destroy_publisher(self._publisher)
