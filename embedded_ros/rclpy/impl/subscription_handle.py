"""What a subscription holds of the middleware, and how messages are taken without an executor."""
import time

from embedded_ros.interfaces import deserialize

from rclpy.impl import costs
from rclpy.impl.handle import Handle


class SubscriptionHandle(Handle):
    """Owns a reader."""

    def __init__(self, reader, topic_name, logger_name):
        super().__init__(reader, logger_name)
        self._topic_name = topic_name

    def get_topic_name(self):
        self.middleware  # noqa: B018  raises after destruction
        return self._topic_name

    def get_publisher_count(self):
        return self.middleware.matched_count()

    def take_message(self, msg_type, raw):
        """The oldest message not taken yet, raw as bytes, and what is known of it; or None."""
        taken = self.middleware.take()
        if taken is None:
            return None
        if costs.imitated:
            costs.spend(costs.TAKE)
        data, info = taken
        return data if raw else deserialize(data, msg_type), message_info(info)


def message_info(info):
    """What callbacks get of a message with a SampleInfo that is taken now."""
    return {
        'source_timestamp': info.source_timestamp,
        'received_timestamp': time.time_ns(),
        'publication_sequence_number': None,
        'reception_sequence_number': None}
