"""Another run in the same ROS domain: its end is waited for, unless it waits for ours."""

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
