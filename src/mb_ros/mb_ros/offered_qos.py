"""Subscriptions that ask for all that can be had, and publishers that offer less."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import inf
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.subscription import Subscription
from rclpy.timer import Timer
from rclpy.validate_topic_name import validate_topic_name

from mb_ros.delivered_once import DeliveredOnce
from mb_ros.qos import OVERRIDABLE

LOOK = 0.5      # wall time after which the node of a new publisher is known by its name [s]
UNKNOWN = '_NODE_NAME_UNKNOWN_'
POLICIES = (('reliability', ReliabilityPolicy.RELIABLE, ReliabilityPolicy.BEST_EFFORT),
            ('durability', DurabilityPolicy.TRANSIENT_LOCAL, DurabilityPolicy.VOLATILE))


def too_little(offered: QoSProfile, asked: QoSProfile) -> dict[str, tuple[str, str]]:
    """Return {policy: (what is offered, what is asked for)} of two QoS where these do not fit."""
    differences = {
        policy: (least.name.lower(), most.name.lower()) for policy, most, least in POLICIES
        if getattr(asked, policy) == most and getattr(offered, policy) == least}
    longest, wanted = (1e-9 * qos.deadline.nanoseconds or inf for qos in (offered, asked))
    if wanted < longest:
        differences['deadline'] = f'{longest:g} s', f'{wanted:g} s'
    return differences


class OfferedQos:
    """Says of a subscription which publishers offer too little, and what mends that.

    The middleware reports a publisher before the name of its node is known, so it is looked at a
    little later.
    """

    def __init__(self, node: Node, overridable: bool,
                 take: Callable[[], object] | None = None) -> None:
        """Set up for a subscription of a node.

        overridable: whether parameters `qos_overrides` change what it asks for; take(): called
        instead of saying that no messages come, takes them as they are offered.
        """
        self._node, self._overridable, self._take = node, overridable, take
        self._topic, self._asked = '', QoSProfile(depth=1)
        self._timer: Timer | None = None
        self._said: set[str] = set()

    @property
    def callbacks(self) -> SubscriptionEventCallbacks:
        """What create_subscription takes as event_callbacks."""
        return SubscriptionEventCallbacks(incompatible_qos=self._on_event)

    def watch(self, subscription: Subscription) -> None:
        """Set the subscription, once there is one."""
        self._topic, self._asked = subscription.topic_name, subscription.qos_profile

    def _on_event(self, _: Any) -> None:
        if self._timer is None:
            self._timer = self._node.create_timer(
                LOOK, self._look, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def _look(self) -> None:
        """Say once of each publisher what does not fit, or have it taken as it is offered."""
        if self._timer is not None:
            self._node.destroy_timer(self._timer)
        self._timer = None
        for one in self._node.get_publishers_info_by_topic(self._topic):
            policies = too_little(one.qos_profile, self._asked)
            words = policies and self._words(one.node_name, policies)
            if words and words not in self._said:
                self._said.add(words)
                log = self._node.get_logger()
                if self._take is not None:
                    log.info(words)
                else:
                    log.warning(words)
        if self._take is not None:
            self._take()

    def _words(self, name: str, policies: Mapping[str, tuple[str, str]]) -> str:
        """Return what a publisher offers, and what mends it."""
        name = 'another node' if name == UNKNOWN else name
        if self._take is not None:
            offer = ' and '.join(offered for offered, _ in policies.values())
            return f'{self._topic}: {name} offers {offer}, which is taken as it is offered'
        offer = ' and '.join(f'{policy} {offered} ({asked} is asked for)'
                             for policy, (offered, asked) in policies.items())
        setting = ', '.join(f'qos_overrides.{self._topic}.subscription.{policy}: {offered}'
                            for policy, (offered, _) in policies.items())
        mend = f'set {setting}' if self._overridable and 'deadline' not in policies else (
            f'{name} has to offer ' + ' and '.join(
                f'{policy} {asked}' for policy, (_, asked) in policies.items()))
        return f'{self._topic}: no message from {name} comes, it offers {offer}: {mend}'


class AcceptingSubscription:
    """A subscription of a node that gets the messages of every publisher, each once.

    Publishers of ours offer what has been published before, and that nothing is lost.  Drivers of
    others may offer neither: another subscription beside takes what these publish.  One that fits
    no publisher any more goes then.  `current` is the newest.
    """

    def __init__(self, node: Node, message_type: type, topic: str,
                 callback: Callable[[Any, Mapping[str, Any]], object], qos: QoSProfile,
                 **options: Any) -> None:
        """Subscribe; callback(message, its info of rclpy).

        options: of create_subscription, by default parameters qos_overrides.  Raises
        InvalidTopicNameException.
        """
        self._node, self._callback, self._once = node, callback, DeliveredOnce()
        options = {'qos_overriding_options': OVERRIDABLE, **options}
        self._overridable = options['qos_overriding_options'] is not None
        on_message: Callable[..., None] = self._on_message      # rclpy finds that it takes two
        self._subscribe = partial(node.create_subscription, message_type, topic, on_message)
        self._subscriptions: list[Subscription] = []
        validate_topic_name(topic)
        offers = self._offers(node.resolve_topic_name(topic))
        if offers and all(too_little(offer, qos) for offer in offers):
            qos = _weakened(qos, offers)
        self._add(qos, **options)
        self._take()

    @property
    def current(self) -> Subscription:
        """The newest of its subscriptions."""
        return self._subscriptions[-1]

    def _add(self, qos: QoSProfile, **options: Any) -> None:
        offered = OfferedQos(self._node, self._overridable, self._take)
        self._subscriptions.append(
            self._subscribe(qos, event_callbacks=offered.callbacks, **options))
        offered.watch(self.current)

    def _offers(self, topic: str) -> list[QoSProfile]:
        """Return what publishers offer that can be taken as it is offered."""
        return [one.qos_profile for one in self._node.get_publishers_info_by_topic(topic)]

    def _take(self) -> None:
        """Subscribe also to what no subscription fits, and no longer to what none offers."""
        offers = self._offers(self.current.topic_name)
        strange = [offer for offer in offers if all(
            too_little(offer, one.qos_profile) for one in self._subscriptions)]
        if not strange:
            return
        weaker = _weakened(self.current.qos_profile, strange)
        useless = [one for one in self._subscriptions
                   if all(too_little(offer, one.qos_profile) for offer in offers)]
        self._add(weaker, qos_overriding_options=None)     # else these would ask for more again
        for one in useless:
            self._subscriptions.remove(one)
            self._node.destroy_subscription(one)

    def _on_message(self, message: Any, info: Mapping[str, Any]) -> None:
        header = getattr(message, 'header', None)
        stamp = (header.stamp.sec, header.stamp.nanosec) if header else None
        if self._once.is_new(info, stamp):
            self._callback(message, info)


def _weakened(asked: QoSProfile, offers: Iterable[QoSProfile]) -> QoSProfile:
    """Return a quality of service as asked for, but no policy stronger than all offers have it."""
    weak = {policy for offer in offers for policy in too_little(offer, asked)}
    least = {policy: value for policy, _, value in POLICIES if policy in weak}
    return QoSProfile(history=asked.history, depth=asked.depth, **{
        'reliability': asked.reliability, 'durability': asked.durability, **least})
