"""Subscriptions that ask for all that can be had, and publishers that offer less."""

from collections.abc import Mapping
from functools import partial
from math import inf
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rclpy.subscription import Subscription

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

    def __init__(self, node, overridable, take_less=None):
        """Set up for a subscription of a node.

        overridable: whether parameters `qos_overrides` change what it asks for; take_less(policies
        that are to be weak): called where no publisher offers what is asked for.
        """
        self._node, self._overridable, self._take_less = node, overridable, take_less
        self._topic, self._asked, self._timer = '', QoSProfile(depth=1), None
        self._said: set[str] = set()

    @property
    def callbacks(self):
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
        """Say what does not fit; take less where nothing does fit."""
        self._node.destroy_timer(self._timer)
        self._timer = None
        offers = [(one.node_name, too_little(one.qos_profile, self._asked))
                  for one in self._node.get_publishers_info_by_topic(self._topic)]
        misfits = [(name, policies) for name, policies in offers if policies]
        weak = {policy for _, policies in misfits for policy in policies}
        taken = bool(self._take_less and misfits and len(misfits) == len(offers)
                     and 'deadline' not in weak)
        for words in (self._words(*one, taken) for one in misfits):
            if words not in self._said:
                self._said.add(words)
                self._node.get_logger().warning(words)
        if taken:
            self._take_less(weak)

    def _words(self, name: str, policies: Mapping[str, tuple[str, str]], taken: bool) -> str:
        """Return what a publisher offers, and what mends it."""
        name = 'another node' if name == UNKNOWN else name
        offer = ' and '.join(f'{policy} {offered} ({asked} is asked for)'
                             for policy, (offered, asked) in policies.items())
        setting = ', '.join(f'qos_overrides.{self._topic}.subscription.{policy}: {offered}'
                            for policy, (offered, _) in policies.items())
        if taken:
            return f'{self._topic}: {name} offers {offer}: taken as it is offered' + (
                f', as by {setting}' if self._overridable else '')
        mend = f'set {setting}' if self._overridable and 'deadline' not in policies else (
            f'{name} has to offer ' + ' and '.join(
                f'{policy} {asked}' for policy, (_, asked) in policies.items()))
        return f'{self._topic}: no message from {name} comes, it offers {offer}: {mend}'


class AcceptingSubscription:
    """A subscription of a node; `current` is the one that there is now.

    Publishers of ours offer what has been published before, and that nothing is lost.  Drivers of
    others may offer neither: where none offers what is asked for, it asks for no more than all do.
    """

    def __init__(self, node, message_type, topic, callback, qos, **options):
        """Subscribe; arguments of create_subscription, by default with parameters qos_overrides."""
        self._node = node
        options = {'qos_overriding_options': OVERRIDABLE, **options}
        self._overridable = options['qos_overriding_options'] is not None
        self._subscribe = partial(node.create_subscription, message_type, topic, callback)
        self._subscribe_as(qos, **options)

    def _subscribe_as(self, qos, **options):
        offered = OfferedQos(self._node, self._overridable, self._take_less)
        self.current = self._subscribe(qos, event_callbacks=offered.callbacks, **options)
        offered.watch(self.current)

    def _take_less(self, weak):
        """Subscribe anew; weak: policies that are not to be asked for."""
        asked = self.current.qos_profile
        least = {policy: value for policy, _, value in POLICIES if policy in weak}
        self._node.destroy_subscription(self.current)
        self._subscribe_as(QoSProfile(
            history=asked.history, depth=asked.depth,
            **{'reliability': asked.reliability, 'durability': asked.durability, **least}),
            qos_overriding_options=None)        # else the parameters would ask for more again
