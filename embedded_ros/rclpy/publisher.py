"""Publishers."""
from types import GenericAlias

from embedded_ros.dds.library import DdsError
from embedded_ros.interfaces import serialize

from rclpy.duration import Duration
from rclpy.impl import costs
from rclpy.impl.errors import RCLError

_FOREVER = Duration(seconds=-1)


class Publisher:
    """Sends messages of one type on a topic; made by Node.create_publisher."""

    __class_getitem__ = classmethod(GenericAlias)  # Publisher[String] in annotations

    def __init__(self, publisher_impl, msg_type, topic, qos_profile, event_callbacks,
                 callback_group, context):
        self._handle = publisher_impl
        self.msg_type = msg_type
        self.topic = topic
        self.qos_profile = qos_profile
        self._context = context
        self.event_handlers = event_callbacks.create_event_handlers(
            callback_group, publisher_impl, topic)

    @property
    def handle(self):
        return self._handle

    @property
    def topic_name(self):
        """The full name of the topic."""
        self._handle.middleware  # noqa: B018  raises after destroy()
        return self.topic

    def publish(self, msg):
        """Send a message, or bytes that are one already."""
        writer = self._handle.middleware
        if costs.imitated:
            costs.spend(costs.PUBLISH)
        if isinstance(msg, self.msg_type):
            data = serialize(msg)
        elif isinstance(msg, bytes):
            data = msg
        else:
            raise TypeError(f'Expected {self.msg_type}, got {type(msg)}')
        if not self._context.ok():  # its DDS entities last until they are destroyed
            raise RCLError("Failed to publish: publisher's context is invalid")
        try:
            writer.write(data)
        except DdsError as error:
            raise RCLError(f'Failed to publish: {error}') from error

    def get_subscription_count(self):
        """How many subscriptions this publisher is matched with."""
        return self._handle.middleware.matched_count()

    def assert_liveliness(self):
        """Assert that this publisher is alive, where liveliness is manual by topic."""
        self._handle.middleware.assert_liveliness()

    def wait_for_all_acked(self, timeout=_FOREVER):
        """Whether all messages have arrived within the time; for ever where it is negative."""
        nanoseconds = timeout.nanoseconds
        writer = self._handle.middleware
        return writer.wait_for_acks(nanoseconds) if nanoseconds >= 0 else writer.wait_for_acks()

    def destroy(self):
        """Close the publisher; use Node.destroy_publisher."""
        for handler in self.event_handlers:
            handler.destroy()
        self._handle.destroy_when_not_in_use()

    def __enter__(self):
        return self

    def __exit__(self, exception_type, exception, traceback):
        self.destroy()
