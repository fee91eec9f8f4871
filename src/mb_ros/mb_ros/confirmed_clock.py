"""The time of a node, of which a step is believed only when other messages confirm it."""

from collections.abc import Callable
from typing import Any

from rclpy.clock import ClockChange, JumpThreshold, TimeJump
from rclpy.duration import Duration
from rclpy.exceptions import InvalidHandle
from rclpy.node import Node
from rclpy.time_source import CLOCK_TOPIC

from mb_ros.checked_stamps import NANOSECONDS
from mb_ros.running_time import RunningTime
from mb_ros.stamp_jump_guard import FAR, Passage, StampJumpGuard

_PERIOD = NANOSECONDS // 10     # a tenth of the step ahead that is believed at once [ns]
_SETTLED = 1.0                  # wall time without another message that confirms a step, too [s]


class ConfirmedClock:
    """What a node's clock shows, without steps that the next messages on /clock do not confirm.

    rclpy uses every message.  One from another publisher would make a node start again, or make up
    for time that has not passed.  A step is also confirmed if time then stays where it is: a
    publisher of time repeats it, so there is no other one.
    """

    def __init__(self, node: Node,
                 on_return: Callable[[int, int], None] = lambda before, now: None) -> None:
        """Follow the clock of a node.

        on_return(before, now): called with times [ns] when time has begun anew, at an earlier one.
        """
        self._node, self._on_return = node, on_return
        self._clock: Any = node.get_clock()     # rclpy's ROSClock
        self._guard = StampJumpGuard(_PERIOD, FAR, behind=0)
        self.denied = 0         # messages that were not believed
        self._running = RunningTime(_SETTLED / 2.0)
        self._changed = 0.0     # when the last message changed the time, by that [s]
        step = Duration(nanoseconds=1)
        self._jumps = self._clock.create_jump_callback(
            JumpThreshold(min_forward=step, min_backward=Duration(nanoseconds=-1),
                          on_clock_change=True), post_callback=self._on_jump)

    def now(self) -> int:
        """Return the time that is believed [ns]."""
        if self._guard.waits and self._running.now() - self._changed > _SETTLED:
            self._go_on(self._guard.newest, self._guard.settle())
        if self._clock.ros_time_is_active and self._guard.newest is not None:
            return self._guard.newest
        return self._clock.now().nanoseconds

    def others(self) -> str:
        """Name the publishers of simulated time, if there are several; else ''."""
        if not self._clock.ros_time_is_active:
            return ''
        return publishers_of_time(self._node)

    def close(self) -> None:
        """Stop following the clock."""
        self._jumps.unregister()

    def _on_jump(self, jump: TimeJump) -> None:
        """Note a message on /clock."""
        if jump.clock_change in (ClockChange.ROS_TIME_ACTIVATED, ClockChange.ROS_TIME_DEACTIVATED):
            self._guard.forget()
            return
        self._changed = self._running.now()
        before, now = self._guard.newest, self._clock.now().nanoseconds
        passage = self._guard.take(now, None)
        if passage.lies:
            self.denied += len(passage.lies)
            self._node.get_logger().warning(
                f'the clock has stepped to {passage.lies[-1][0] / NANOSECONDS:.3f} s and back to '
                f'{now / NANOSECONDS:.3f} s: not believed', throttle_duration_sec=5.0)
        self._go_on(before, passage)

    def _go_on(self, before: int | None, passage: Passage) -> None:
        """Say it if time has begun anew at an earlier one than before [ns]."""
        newest = self._guard.newest
        if passage.anew and before is not None and newest is not None and newest < before:
            self._on_return(before, newest)


def publishers_of_time(node: Node) -> str:
    """Name the publishers of /clock that a node sees, if there are several; else ''.

    A node that is destroyed sees no publisher.
    """
    try:
        publishers = sorted(one.node_name for one in node.get_publishers_info_by_topic(CLOCK_TOPIC))
    except InvalidHandle:
        return ''
    if len(publishers) < 2:
        return ''
    return f'{len(publishers)} publish {CLOCK_TOPIC}: {", ".join(publishers)}'
