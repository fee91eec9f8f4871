"""A node's health on /diagnostics."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.clock import Clock, ClockType
from rclpy.node import Node

OK, WARN, ERROR, STALE = (
    DiagnosticStatus.OK, DiagnosticStatus.WARN, DiagnosticStatus.ERROR, DiagnosticStatus.STALE)
LEVELS = {OK: 'OK', WARN: 'WARN', ERROR: 'ERROR', STALE: 'STALE'}      # in words


@dataclass
class Health:
    """One look at a node: level (OK, WARN, ERROR, STALE), a sentence and named values."""

    level: bytes
    message: str
    values: dict[str, Any] = field(default_factory=dict)


class LastLook:
    """A count, or a stamp [ns], as it was at the last look at a node; each question is a look."""

    def __init__(self, value: int | None = 0) -> None:
        """Begin with a count, or with None for a stamp before the first look."""
        self._value = value

    def stands_still(self, value: int) -> bool:
        """Return whether a stamp is the one of the last look."""
        before, self._value = self._value, value
        return value == before

    def grown_by(self, value: int) -> int:
        """Return by how much a count is larger than at the last look."""
        before, self._value = self._value or 0, value
        return value - before


class Diagnostics:
    """Publishes what `look()` returns, a Health, once a period of wall time [s]."""

    def __init__(self, node: Node, look: Callable[[], Health], period: float = 1.0) -> None:
        self._node = node
        self._look = look
        self._publisher = node.create_publisher(DiagnosticArray, '/diagnostics', 10)
        # Steady time: health is published even while simulated time stands still.
        self._timer = node.create_timer(
            period, self.publish, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def publish(self) -> None:
        """Publish the present health."""
        health = self._look()
        values = [KeyValue(key=key, value=str(value)) for key, value in health.values.items()]
        status = DiagnosticStatus(
            level=health.level, name=self._node.get_fully_qualified_name(), message=health.message,
            hardware_id=self._node.get_name(), values=values)
        message = DiagnosticArray(status=[status])
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._publisher.publish(message)
