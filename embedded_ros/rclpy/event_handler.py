"""Events of QoS: matches, missed deadlines, liveliness, incompatible offers, lost messages."""
from collections import namedtuple
from enum import IntEnum

from embedded_ros.dds import events

from rclpy.impl.errors import UnsupportedEventTypeError
from rclpy.impl.handle import Handle
from rclpy.logging import get_logger
from rclpy.qos import qos_policy_name_from_kind
from rclpy.waitable import NumberOfEntities, Waitable

__all__ = [
    'EventHandle', 'EventHandler', 'IncompatibleTypeInfo', 'PublisherEventCallbacks',
    'QoSLivelinessChangedInfo', 'QoSLivelinessLostInfo', 'QoSMessageLostInfo',
    'QoSOfferedDeadlineMissedInfo', 'QoSOfferedIncompatibleQoSInfo', 'QoSPublisherEventType',
    'QoSPublisherMatchedInfo', 'QoSRequestedDeadlineMissedInfo',
    'QoSRequestedIncompatibleQoSInfo', 'QoSSubscriptionEventType', 'QoSSubscriptionMatchedInfo',
    'SubscriptionEventCallbacks', 'UnsupportedEventTypeError']

_total = 'total_count total_count_change'
_matched = f'{_total} current_count current_count_change'
QoSRequestedDeadlineMissedInfo = namedtuple('QoSRequestedDeadlineMissedInfo', _total)
QoSLivelinessChangedInfo = namedtuple(
    'QoSLivelinessChangedInfo',
    'alive_count not_alive_count alive_count_change not_alive_count_change')
QoSRequestedIncompatibleQoSInfo = namedtuple(
    'QoSRequestedIncompatibleQoSInfo', f'{_total} last_policy_kind')
QoSMessageLostInfo = namedtuple('QoSMessageLostInfo', _total)
QoSSubscriptionMatchedInfo = namedtuple('QoSSubscriptionMatchedInfo', _matched)
QoSOfferedDeadlineMissedInfo = namedtuple('QoSOfferedDeadlineMissedInfo', _total)
QoSLivelinessLostInfo = namedtuple('QoSLivelinessLostInfo', _total)
QoSOfferedIncompatibleQoSInfo = namedtuple(
    'QoSOfferedIncompatibleQoSInfo', f'{_total} last_policy_kind')
QoSPublisherMatchedInfo = namedtuple('QoSPublisherMatchedInfo', _matched)
IncompatibleTypeInfo = namedtuple('IncompatibleTypeInfo', _total)


class QoSSubscriptionEventType(IntEnum):
    """Events that a subscription may report."""

    RCL_SUBSCRIPTION_REQUESTED_DEADLINE_MISSED = 0
    RCL_SUBSCRIPTION_LIVELINESS_CHANGED = 1
    RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS = 2
    RCL_SUBSCRIPTION_MESSAGE_LOST = 3
    RCL_SUBSCRIPTION_INCOMPATIBLE_TYPE = 4
    RCL_SUBSCRIPTION_MATCHED = 5


class QoSPublisherEventType(IntEnum):
    """Events that a publisher may report."""

    RCL_PUBLISHER_OFFERED_DEADLINE_MISSED = 0
    RCL_PUBLISHER_LIVELINESS_LOST = 1
    RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS = 2
    RCL_PUBLISHER_INCOMPATIBLE_TYPE = 3
    RCL_PUBLISHER_MATCHED = 4


_subscription, _publisher = QoSSubscriptionEventType, QoSPublisherEventType
_statuses = {
    _subscription.RCL_SUBSCRIPTION_REQUESTED_DEADLINE_MISSED: (
        events.REQUESTED_DEADLINE_MISSED, QoSRequestedDeadlineMissedInfo),
    _subscription.RCL_SUBSCRIPTION_LIVELINESS_CHANGED: (
        events.LIVELINESS_CHANGED, QoSLivelinessChangedInfo),
    _subscription.RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS: (
        events.REQUESTED_INCOMPATIBLE_QOS, QoSRequestedIncompatibleQoSInfo),
    _subscription.RCL_SUBSCRIPTION_MESSAGE_LOST: (events.SAMPLE_LOST, QoSMessageLostInfo),
    _subscription.RCL_SUBSCRIPTION_MATCHED: (
        events.SUBSCRIPTION_MATCHED, QoSSubscriptionMatchedInfo)}
_publisher_statuses = {
    _publisher.RCL_PUBLISHER_OFFERED_DEADLINE_MISSED: (
        events.OFFERED_DEADLINE_MISSED, QoSOfferedDeadlineMissedInfo),
    _publisher.RCL_PUBLISHER_LIVELINESS_LOST: (events.LIVELINESS_LOST, QoSLivelinessLostInfo),
    _publisher.RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS: (
        events.OFFERED_INCOMPATIBLE_QOS, QoSOfferedIncompatibleQoSInfo),
    _publisher.RCL_PUBLISHER_MATCHED: (events.PUBLICATION_MATCHED, QoSPublisherMatchedInfo)}

# DDS policy id -> QoSPolicyKind, a mask of bits in rclpy.
_policy_kinds = {2: 1 << 1, 4: 1 << 2, 8: 1 << 3, 11: 1 << 4, 13: 1 << 5, 10: 1 << 6}


class EventHandle(Handle):
    """One kind of event of one publisher or subscription, given by its handle."""

    def __init__(self, parent_impl, event_type):
        super().__init__()
        kinds = _statuses if isinstance(event_type, QoSSubscriptionEventType) else (
            _publisher_statuses)
        if event_type not in kinds:
            raise UnsupportedEventTypeError(f'{event_type.name} is not reported by the middleware')
        status, self._info = kinds[event_type]
        self._event = events.StatusEvent(parent_impl.middleware, status)
        self.is_triggered = self._event.is_triggered

    @property
    def condition(self):
        return self._event.condition

    def take_event(self):
        """The counts of this kind of event; their changes count from the last take."""
        status = self._event.take()
        return self._info(*[_value(status, name) for name in self._info._fields])


class EventHandler(Waitable):
    """Waits for one kind of event of one publisher or subscription and calls back."""

    def __init__(self, *, callback_group, callback, event_type, parent_impl):
        super().__init__(callback_group)
        self.callback = callback
        self.event_type = event_type
        self._event = EventHandle(parent_impl, event_type)

    @property
    def condition(self):
        """The DDS condition that is triggered when there is an event."""
        return self._event.condition

    def is_ready(self, wait_set):
        return self._event.condition in wait_set.triggered and self._event.is_triggered()

    def take_data(self):
        return self._event.take_event()

    async def execute(self, taken_data):
        """Call the callback with the counts."""
        from rclpy.executors import await_or_execute
        if taken_data:
            await await_or_execute(self.callback, taken_data)

    def get_num_entities(self):
        return NumberOfEntities(num_events=1)

    def add_to_wait_set(self, wait_set):
        wait_set.add_event(self._event)

    def destroy(self):
        self._event.destroy_when_not_in_use()

    def __enter__(self):
        self._event.__enter__()

    def __exit__(self, exception_type, exception, traceback):
        self._event.__exit__(exception_type, exception, traceback)


def _value(status, name):
    if name == 'last_policy_kind':
        return _policy_kinds.get(status.last_policy_id, 1)
    return getattr(status, name)


def _warn_of_incompatible_offer(logger, topic_name, text):
    def warn(event):
        policy = qos_policy_name_from_kind(event.last_policy_kind)
        logger.warn(text.format(topic_name, policy))
    return warn


class _EventCallbacks:
    """Callbacks by name, made into EventHandlers for one publisher or subscription."""

    _kinds = {}  # attribute -> event type
    _incompatible = ''  # text of the warning that is the default for incompatible QoS

    def create_event_handlers(self, callback_group, parent_impl, topic_name):
        """The EventHandlers of the callbacks that are set."""
        def handler(callback, kind):
            return EventHandler(callback_group=callback_group, callback=callback,
                                event_type=kind, parent_impl=parent_impl)

        handlers = [handler(getattr(self, name), kind) for name, kind in self._kinds.items()
                    if getattr(self, name) is not None]
        if self.incompatible_qos is None and self.use_default_callbacks:
            logger = get_logger(parent_impl.get_logger_name())
            warn = _warn_of_incompatible_offer(logger, topic_name, self._incompatible)
            handlers.append(handler(warn, self._kinds['incompatible_qos']))
        return handlers


class SubscriptionEventCallbacks(_EventCallbacks):
    """Callbacks for the events of a subscription."""

    _kinds = {
        'deadline': _subscription.RCL_SUBSCRIPTION_REQUESTED_DEADLINE_MISSED,
        'incompatible_qos': _subscription.RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS,
        'liveliness': _subscription.RCL_SUBSCRIPTION_LIVELINESS_CHANGED,
        'message_lost': _subscription.RCL_SUBSCRIPTION_MESSAGE_LOST,
        'incompatible_type': _subscription.RCL_SUBSCRIPTION_INCOMPATIBLE_TYPE,
        'matched': _subscription.RCL_SUBSCRIPTION_MATCHED}
    _incompatible = (
        "New publisher discovered on topic '{}', offering incompatible QoS. No messages will be "
        'received from it. Last incompatible policy: {}')

    def __init__(self, *, deadline=None, incompatible_qos=None, liveliness=None,
                 message_lost=None, incompatible_type=None, matched=None,
                 use_default_callbacks=True):
        self.deadline, self.incompatible_qos = deadline, incompatible_qos
        self.liveliness, self.message_lost = liveliness, message_lost
        self.incompatible_type, self.matched = incompatible_type, matched
        self.use_default_callbacks = use_default_callbacks


class PublisherEventCallbacks(_EventCallbacks):
    """Callbacks for the events of a publisher."""

    _kinds = {
        'deadline': _publisher.RCL_PUBLISHER_OFFERED_DEADLINE_MISSED,
        'incompatible_qos': _publisher.RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS,
        'liveliness': _publisher.RCL_PUBLISHER_LIVELINESS_LOST,
        'incompatible_type': _publisher.RCL_PUBLISHER_INCOMPATIBLE_TYPE,
        'matched': _publisher.RCL_PUBLISHER_MATCHED}
    _incompatible = (
        "New subscription discovered on topic '{}', requesting incompatible QoS. No messages will "
        'be sent to it. Last incompatible policy: {}')

    def __init__(self, *, deadline=None, liveliness=None, incompatible_qos=None,
                 incompatible_type=None, matched=None, use_default_callbacks=True):
        self.deadline, self.liveliness = deadline, liveliness
        self.incompatible_qos, self.incompatible_type = incompatible_qos, incompatible_type
        self.matched = matched
        self.use_default_callbacks = use_default_callbacks
