"""A subscription that asks for all that can be had, and takes less where that is not offered."""

from functools import partial

from rclpy.qos import QoSProfile

from mb_ros.offered_qos import POLICIES, OfferedQos
from mb_ros.qos import OVERRIDABLE


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
