"""Subscribes to a launched run from outside: the truth, the estimates, diagnostics."""

from collections.abc import Callable
from functools import partial
from math import pi
import time
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
import numpy as np
from numpy.typing import NDArray
import rclpy
from rclpy.node import Node

from mb_interfaces.msg import MechanismState
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import nanoseconds

NANOSECOND = 1e-9


class RunListener:
    """Notes states of prototype and estimator by stamp [s], and the newest diagnostics.

    truth, estimates: {stamp [s]: first degree of freedom}; values: {node: {key: text}}.
    """

    def __init__(self, node: Node) -> None:
        """Subscribe by a node."""
        self._node = node
        self.truth, self.estimates = {0.0: 0.0}, {0.0: 0.0}
        self.values: dict[str, dict[str, str]] = {}
        for topic, angles in (('prototype/state', self.truth), ('estimator/state', self.estimates)):
            node.create_subscription(MechanismState, topic, partial(self._on_state, angles),
                                     STREAM_QOS)
        node.create_subscription(DiagnosticArray, '/diagnostics', self._on_diagnostics, 100)

    def _on_state(self, angles: dict[float, float], message: MechanismState) -> None:
        angles[nanoseconds(message.header.stamp) * NANOSECOND] = message.z[0]

    def _on_diagnostics(self, message: DiagnosticArray) -> None:
        for status in message.status:
            self.values[status.name] = {item.key: item.value for item in status.values}

    def until(self, done: Callable[[], Any], patience: float) -> float:
        """Listen until something is so; return the wall time that took [s].

        Raises TimeoutError after a while [s].
        """
        begin = time.monotonic()
        while not done():
            if time.monotonic() > begin + patience:
                raise TimeoutError('what was waited for did not happen')
            rclpy.spin_once(self._node, timeout_sec=0.02)
        return time.monotonic() - begin

    def errors(self, begin: float) -> NDArray[np.float64]:
        """Return the errors (k) of all estimates since a stamp [s], as angles within half a turn.

        An encoder does not count turns, so an estimator that starts again does not know them.
        """
        known = [stamp for stamp in self.estimates if stamp > begin and stamp in self.truth]
        off = np.array([self.estimates[stamp] - self.truth[stamp] for stamp in known])
        return (off + pi) % (2.0 * pi) - pi
