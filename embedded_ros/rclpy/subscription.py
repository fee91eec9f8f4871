"""Subscriptions."""
from enum import Enum
import inspect
from types import GenericAlias
from typing import TypedDict

from embedded_ros.interfaces import deserialize

from rclpy.impl.subscription_handle import message_info


class MessageInfo(TypedDict):
    """What a callback with two arguments gets of its message."""

    source_timestamp: int
    received_timestamp: int
    publication_sequence_number: int | None
    reception_sequence_number: int | None


class Subscription:
    """Receives messages of one type on a topic; made by Node.create_subscription."""

    __class_getitem__ = classmethod(GenericAlias)  # Subscription[String] in annotations

    class CallbackType(Enum):
        """What the callback takes."""

        MessageOnly = 0
        WithMessageInfo = 1

    def __init__(self, subscription_impl, msg_type, topic, callback, callback_group, qos_profile,
                 raw, event_callbacks):
        self._handle = subscription_impl
        self._take = subscription_impl.middleware.take  # finds nothing once that is closed
        self.msg_type = msg_type
        self.topic = topic
        self.callback = callback
        self.callback_group = callback_group
        self.qos_profile = qos_profile
        self.raw = raw
        self._executor_event = False  # taken by an executor that has not run it yet
        self.event_handlers = event_callbacks.create_event_handlers(
            callback_group, subscription_impl, topic)

    @property
    def handle(self):
        return self._handle

    @property
    def topic_name(self):
        """The full name of the topic."""
        self._handle.middleware  # noqa: B018  raises after destroy()
        return self.topic

    @property
    def callback(self):
        return self._callback

    @callback.setter
    def callback(self, callback):
        self._callback_type = _callback_type(callback)
        self._callback = callback

    def get_publisher_count(self):
        """How many publishers this subscription is matched with."""
        return self._handle.middleware.matched_count()

    def take_work(self):
        """(callback, its arguments) from the oldest message not taken yet, or None."""
        taken = self._take()
        if taken is None:
            return None
        data, info = taken
        message = data if self.raw else deserialize(data, self.msg_type)
        if self._callback_type is _MESSAGE_ONLY:
            return self._callback, (message,)
        return self._callback, (message, message_info(info))

    def take(self):
        """The arguments for the callback, from the oldest message not taken yet, or None."""
        work = self.take_work()
        return None if work is None else work[1]

    def destroy(self):
        """Close the subscription; use Node.destroy_subscription."""
        for handler in self.event_handlers:
            handler.destroy()
        self._handle.destroy_when_not_in_use()

    def __enter__(self):
        return self

    def __exit__(self, exception_type, exception, traceback):
        self.destroy()


_MESSAGE_ONLY = Subscription.CallbackType.MessageOnly


def _callback_type(callback):
    """Whether the callback takes a message, or a message and information about it."""
    try:
        signature = inspect.signature(callback)
    except ValueError:
        return Subscription.CallbackType.MessageOnly  # a builtin without a signature
    for count, kind in ((1, Subscription.CallbackType.MessageOnly),
                        (2, Subscription.CallbackType.WithMessageInfo)):
        try:
            signature.bind(*[object()] * count)
        except TypeError:
            continue
        return kind
    raise RuntimeError('callback must take one argument (the message) or two (the message and '
                       'a dict of information about it)')
