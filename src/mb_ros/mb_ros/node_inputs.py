"""The inputs of a managed node: what comes on them, when it counts, and how they go."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from time import perf_counter, time_ns
from typing import Any

from builtin_interfaces.msg import Time
from rcl_interfaces.msg import ParameterDescriptor
from rclpy.exceptions import InvalidParameterTypeException, InvalidTopicNameException
from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.subscription import Subscription

from mb_ros.checked_stamps import NANOSECONDS, POLICIES, CheckedStamps
from mb_ros.direct import Callback, DirectTopics
from mb_ros.input_meter import InputMeter, pace
from mb_ros.offered_qos import AcceptingSubscription
from mb_ros.qos import deep
from mb_ros.stamps import is_representable, nanoseconds, set_stamp
from mb_ros.states import type_name


def wrong_types(node: Node, subscriptions: Iterable[Subscription]) -> str:
    """Name publishers of another type on the topics of subscriptions, '' if there are none."""
    return '; '.join(
        f'{subscription.topic_name}: {publisher.node_name} publishes {publisher.topic_type}, '
        f'expected {type_name(subscription.msg_type)}'
        for subscription in subscriptions
        for publisher in node.get_publishers_info_by_topic(subscription.topic_name)
        if publisher.topic_type != type_name(subscription.msg_type))


class NodeInputs:
    """Subscriptions, and what nodes of the same process offer without messages.

    What comes while the node is not active is counted, and ignored.
    """

    def __init__(self, node: Node, is_active: Callable[[], bool]) -> None:
        """Set up for a node; is_active(): whether it works.

        Declares the parameter `stamps` of the node.  Raises ValueError for a wrong value.
        """
        self._node, self._is_active = node, is_active
        self._policy = _declared_policy(node)
        self._meters: list[InputMeter] = []
        self._subscribed: list[tuple[AcceptingSubscription, InputMeter, CheckedStamps]] = []
        self._direct = DirectTopics(node)

    def meter(self, name: str, nanoseconds_of: Callable[[Any], int] = nanoseconds) -> InputMeter:
        """Return the InputMeter of a new input."""
        self._meters.append(InputMeter(name, nanoseconds_of))
        return self._meters[-1]

    def subscribe(self, message_type: type, topic: str, callback: Callable[[Any], object],
                  qos: QoSProfile, **options: Any) -> None:
        """Subscribe; none counts that comes twice.

        What becomes of malformed stamps the parameter `stamps` of the node says.  Messages without
        a header count by their arrival.  Raises ValueError for a topic of no possible name.
        """
        is_stamped = 'header' in message_type.get_fields_and_field_types()  # type: ignore[attr-defined]
        meter = self.meter(topic) if is_stamped else self.meter(topic, nanoseconds_of=int)
        stamps = CheckedStamps(self._policy)
        if is_stamped:
            meter.stamps = stamps
            take = partial(self._on_message, callback, meter, stamps)
        else:
            take = partial(self._on_unstamped, callback, meter)
        try:
            subscription = AcceptingSubscription(
                self._node, message_type, topic, take, deep(qos), **options)
        except InvalidTopicNameException as error:
            raise ValueError(f'{topic!r}: no name of a topic: {error}') from error
        self._subscribed.append((subscription, meter, stamps))

    def offer(self, topic: str) -> Callback:
        """Return hand_over(stamp [ns], *what) to the nodes of this process that take a topic."""
        return partial(self._hand_over, self._direct.offer(topic))

    def take_offered(self, topic: str, callback: Callback) -> bool:
        """Call callback(*what) for what is offered on a topic; False if nothing is."""
        if not self._direct.is_offered(topic):
            return False
        self._direct.take(topic, partial(
            self._on_offered, callback, self.meter(topic, nanoseconds_of=int)))
        return True

    def forget(self) -> None:
        """Have no inputs any more; the subscriptions are destroyed by the node."""
        self._meters.clear()
        self._subscribed.clear()
        self._direct.take_none()

    def withdraw(self) -> None:
        """Offer nothing, and take nothing, any more."""
        self._direct.withdraw()

    def pace(self) -> tuple[dict[str, Any], str]:
        """Return figures of all inputs by name, and what is wrong with them, in words or empty."""
        return pace(self._meters, perf_counter())

    def wrong_stamps(self) -> str:
        """Return which topics have stamps that no clock shows, in words."""
        return '; '.join(f'{meter.name}: {stamps.words}' for _, meter, stamps in self._subscribed
                         if stamps.fault and stamps.policy != 'arrival')

    def wrong_types(self) -> str:
        """Return which topics without messages have publishers of another type, in words."""
        return wrong_types(self._node, [
            one.current for one, meter, _ in self._subscribed if meter.is_silent])

    def _on_message(self, callback: Callable[[Any], object], meter: InputMeter,
                    stamps: CheckedStamps, message: Any, info: Mapping[str, Any]) -> None:
        stamp = message.header.stamp
        if not self._is_active():
            meter.ignored += 1
            return
        if not self._has_time(stamps, stamp, info):    # what follows could not be published
            self._node.get_logger().warning(
                f'{meter.name}: a stamp of {stamp.sec} s and {stamp.nanosec} ns is left out',
                throttle_duration_sec=5.0)
            return
        begin = perf_counter()
        callback(message)
        meter.take(begin, perf_counter(), stamp)

    def _on_unstamped(self, callback: Callable[[Any], object], meter: InputMeter, message: Any,
                      _info: Mapping[str, Any]) -> None:
        if not self._is_active():
            meter.ignored += 1
            return
        begin = perf_counter()
        callback(message)
        meter.take(begin, perf_counter(), self._node.get_clock().now().nanoseconds)

    def _has_time(self, stamps: CheckedStamps, stamp: Time, info: Mapping[str, Any]) -> bool:
        """Let a stamp be the time that it means; return whether there is one."""
        if stamps.policy == 'refuse' or not (
                self._node.get_clock().ros_time_is_active):     # type: ignore[attr-defined]
            arrival = info['received_timestamp'] or time_ns()
        else:
            arrival = self._node.get_clock().now().nanoseconds
        time = stamps.take(stamp.sec, stamp.nanosec, arrival)
        if time is None:
            return False
        if (stamp.sec, stamp.nanosec) != divmod(time, NANOSECONDS):
            if time >= 2 ** 31 * NANOSECONDS:
                return False
            set_stamp(stamp, time)
        return is_representable(stamp)

    def _hand_over(self, callbacks: list[Callback], stamp: int, *what: Any) -> None:
        if self._is_active():
            for callback in callbacks:
                callback(stamp, *what)

    def _on_offered(self, callback: Callback, meter: InputMeter, stamp: int, *what: Any) -> None:
        if not self._is_active():
            meter.ignored += 1
            return
        begin = perf_counter()
        callback(*what)
        meter.take(begin, perf_counter(), stamp)


def _declared_policy(node: Node) -> str:
    """Declare the parameter `stamps`; return its value.  Raises ValueError."""
    descriptor = ParameterDescriptor(
        description='What becomes of topics whose stamps no clock shows, as nanoseconds of 1e9 or '
                    'more: they are left out (refuse), computed where it is known how (repair), or '
                    'replaced by the arrival of messages (arrival)', read_only=True)
    try:
        policy = node.declare_parameter('stamps', POLICIES[0], descriptor).value
    except InvalidParameterTypeException as error:
        raise ValueError(f'stamps: must be one of {", ".join(POLICIES)} ({error.args[0]})'
                         ) from error
    return CheckedStamps(policy).policy
