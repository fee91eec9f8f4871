"""When simulated time waits: for the end of another run, and after a standstill.
"""

import os

from rclpy.node import Node
from rclpy.qos import QoSProfile
from rclpy.subscription import Subscription
from rosgraph_msgs.msg import Clock

from mb_ros.running_time import RunningTime

CLOCK = '/clock'
SILENT = 10.0       # wall time without a time after which the other run does not go on [s]


class OtherRun:
    """Looks for others that publish time, in the name of a node that publishes it, too."""

    def __init__(self, node: Node, qos: QoSProfile) -> None:
        """Set up for the quality of service of time.

        Two processes lose patience at different times, so that one goes on.
        """
        self._node, self._qos = node, qos
        self._time = RunningTime()
        self._patience = SILENT * (1.0 + os.getpid() % 100 / 100.0)
        self._subscription: Subscription | None = None
        self._received = 0.0           # when there was a time, or a look for the first time [s]

    def awaited(self) -> list[str]:
        """Return what is waited for, in words, nothing without another run.

        Raises ValueError if that run has published no time for long: it waits, too.
        """
        now = self._time.now()
        if self._node.count_publishers(CLOCK) < 2:
            self._forget()
            return []
        if self._subscription is None:
            self._received = now
            self._subscription = self._node.create_subscription(
                Clock, CLOCK, self._on_time, self._qos)
        if now - self._received > self._patience:
            raise ValueError(
                f'another process in this ROS domain publishes {CLOCK}, but no time has come for '
                f'{self._patience:.0f} s: it waits for this run, or was stopped; end it, or give '
                'each run a ROS_DOMAIN_ID of its own')
        return [f'the end of another run in this ROS domain (another process publishes {CLOCK}; '
                'ROS_DOMAIN_ID keeps runs apart)']

    def _on_time(self, _: Clock) -> None:
        self._received = self._time.now()

    def _forget(self) -> None:
        if self._subscription is not None:
            self._node.destroy_subscription(self._subscription)
            self._subscription = None


LOST = 3.0          # wall time of a standstill after which processes may have lost one another [s]
LEAST, MOST = 2.0, 15.0     # time until losses show and all are found again: at least, at most


class PartnersBack:
    """Waits after a standstill of this process until its topics have as many partners as before.

    Processes without discovery messages for a while, as set in the middleware, count as gone.  They
    miss all that is published until they are discovered again.  Fast DDS may connect topics again
    without the names of nodes.
    """

    def __init__(self, node: Node) -> None:
        """Look at the node's topics from now on, when all that it needs is there."""
        self._node = node
        self._time = RunningTime()
        self._since: float | None = None        # when the standstill ended [s]
        self._partners = self._count()          # by topic, while nothing stood still
        self._counted = 0.0                     # when that was [s]

    def are_all_there(self) -> bool:
        """Look, often; return whether the run can go on."""
        now = self._time.now()
        if self._time.stood_still > LOST:
            self._since = now
            self._node.get_logger().warning(
                f'stood still for {self._time.stood_still:.1f} s, looks for the other nodes')
        if self._since is None:
            if now - self._counted > LEAST:
                self._partners, self._counted = self._count(), now
            return True
        waited = now - self._since
        if waited < LEAST:
            return False
        present = self._count()
        lost = [topic for topic, count in self._partners.items() if present.get(topic, 0) < count]
        if lost and waited < MOST:
            return False
        if lost:
            self._node.get_logger().warning(
                f'goes on without others that used {", ".join(sorted(lost))}')
        self._since = None
        return True

    def _count(self) -> dict[str, int]:
        """Return how many others each topic of the node is connected with."""
        counts: dict[str, int] = {}
        for one in self._node.publishers:
            counts[one.topic_name] = counts.get(one.topic_name, 0) + one.get_subscription_count()
        for one in self._node.subscriptions:
            counts[one.topic_name] = counts.get(one.topic_name, 0) + one.get_publisher_count()
        return counts
