"""When the next of many timers is due, without asking all of them at each wait."""
import time

from rclpy.clock_type import ClockType
from rclpy.impl.changes import timer_changes

FOREVER = 2**63 - 1  # [ns]


class DueTimers:
    """Timers of an executor; a clock that runs by itself makes them due at known times."""

    def __init__(self, timers):
        self._timers = timers  # (timer, node)
        self._count = None
        self._steady = self._system = FOREVER  # times of the clocks at which the first is due [ns]
        self._now = False  # whether one of simulated time is due

    def _look(self):
        """Ask the timers again, because a timer of the process has changed."""
        self._count = timer_changes.count
        self._steady = self._system = FOREVER
        self._now = False
        for timer, _ in self._timers:
            next_call = timer.next_call()
            if next_call is None:
                continue
            if not timer.clock._runs_by_itself():
                self._now |= timer.is_due()
            elif timer.clock.clock_type is ClockType.STEADY_TIME:
                self._steady = min(self._steady, next_call)
            else:
                self._system = min(self._system, next_call)

    def time_left(self):
        """Nanoseconds until one is due if nothing else happens."""
        if self._count != timer_changes.count:
            self._look()
        if self._now:
            return 0
        left = FOREVER
        if self._steady < FOREVER:
            left = self._steady - time.monotonic_ns()
        if self._system < FOREVER:
            left = min(left, self._system - time.time_ns())
        return left
