"""The inputs of a managed node: what comes on them, when it counts, and how they go."""

from functools import partial
from time import perf_counter

from mb_ros.accepting_subscription import AcceptingSubscription
from mb_ros.delivered_once import DeliveredOnce
from mb_ros.direct import DirectTopics
from mb_ros.input_meter import InputMeter, pace
from mb_ros.qos import deep
from mb_ros.stamps import is_representable, nanoseconds
from mb_ros.wrong_types import wrong_types


class NodeInputs:
    """Subscriptions, and what nodes of the same process offer without messages.

    What comes while the node is not active is counted, and ignored.
    """

    def __init__(self, node, is_active):
        """Set up for a node; is_active(): whether it works."""
        self._node, self._is_active = node, is_active
        self._meters = []
        self._subscribed = []       # (AcceptingSubscription, its InputMeter)
        self._direct = DirectTopics(node)

    def meter(self, name, nanoseconds_of=nanoseconds):
        """Return the InputMeter of a new input."""
        self._meters.append(InputMeter(name, nanoseconds_of))
        return self._meters[-1]

    def subscribe(self, message_type, topic, callback, qos, **options):
        """Subscribe to messages with a header; none counts that comes twice."""
        meter = self.meter(topic)
        self._subscribed.append((AcceptingSubscription(
            self._node, message_type, topic,
            partial(self._on_message, callback, meter, DeliveredOnce()), deep(qos), **options),
            meter))

    def offer(self, topic):
        """Return hand_over(stamp [ns], *what) to the nodes of this process that take a topic."""
        return partial(self._hand_over, self._direct.offer(topic))

    def take_offered(self, topic, callback):
        """Call callback(*what) for what is offered on a topic; False if nothing is."""
        if not self._direct.is_offered(topic):
            return False
        self._direct.take(topic, partial(
            self._on_offered, callback, self.meter(topic, nanoseconds_of=int)))
        return True

    def forget(self):
        """Have no inputs any more; the subscriptions are destroyed by the node."""
        self._meters.clear()
        self._subscribed.clear()
        self._direct.take_none()

    def withdraw(self):
        """Offer nothing, and take nothing, any more."""
        self._direct.withdraw()

    def pace(self):
        """Return figures of all inputs by name, and what is wrong with them, in words or empty."""
        return pace(self._meters, perf_counter())

    def wrong_types(self):
        """Return which topics without messages have publishers of another type, in words."""
        return wrong_types(self._node, [
            one.current for one, meter in self._subscribed if meter.is_silent])

    def _on_message(self, callback, meter, once, message, info):
        stamp = message.header.stamp
        if not once.is_new(info, (stamp.sec, stamp.nanosec)):
            return
        if not self._is_active():
            meter.ignored += 1
            return
        if not is_representable(stamp):     # what follows from it could not be published
            self._node.get_logger().warning(
                f'{meter.name}: a stamp of {stamp.sec} s and {stamp.nanosec} ns is left out',
                throttle_duration_sec=5.0)
            return
        begin = perf_counter()
        callback(message)
        meter.take(begin, perf_counter(), stamp)

    def _hand_over(self, callbacks, stamp, *what):
        if self._is_active():
            for callback in callbacks:
                callback(stamp, *what)

    def _on_offered(self, callback, meter, stamp, *what):
        if not self._is_active():
            meter.ignored += 1
            return
        begin = perf_counter()
        callback(*what)
        meter.take(begin, perf_counter(), stamp)
