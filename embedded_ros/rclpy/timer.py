"""Timers and rates."""
import inspect
import threading

from rclpy.clock import ClockChange
from rclpy.clock_type import ClockType
from rclpy.exceptions import ROSInterruptException
from rclpy.impl.changes import timer_changes
from rclpy.impl.due_timers import FOREVER
from rclpy.impl.timer_handle import TimerHandle
from rclpy.time import Time
from rclpy.utilities import get_default_context


class TimerInfo:
    """What a timer callback that takes an argument gets: when it should be called, and is."""

    def __init__(self, *, expected_call_time=0, actual_call_time=0,
                 clock_type=ClockType.SYSTEM_TIME):
        self.expected_call_time = Time(nanoseconds=expected_call_time, clock_type=clock_type)
        self.actual_call_time = Time(nanoseconds=actual_call_time, clock_type=clock_type)


def _wants_info(callback):
    """Whether a timer callback cannot do without an argument."""
    try:
        inspect.signature(callback).bind()
    except TypeError:
        return callable(callback)
    except ValueError:
        return False  # a builtin without a signature
    return False


class Timer:
    """Calls back on a grid of multiples of its period, on the time of its clock.

    Ticks missed while the node does not spin are left out: one call, then the next tick ahead.
    """

    def __init__(self, callback, callback_group, timer_period_ns, clock, *, context=None,
                 autostart=True):
        if timer_period_ns < 0:
            raise ValueError(f'timer period must be non-negative, got {timer_period_ns} ns')
        self._context = get_default_context() if context is None else context
        self._clock, self._period = clock, int(timer_period_ns)
        self.callback = callback
        self.callback_group = callback_group
        self._executor_event = False  # taken by an executor that has not run it yet
        self._canceled, self._handle = not autostart, TimerHandle(self)
        self._wake = None
        self._last = clock._nanoseconds()
        self._next = self._last + self._period
        self._credit = None  # time waited already when the source of time changes [ns]
        timers = getattr(clock, '_timers', None)
        if timers is not None:
            timers.add(self)

    @property
    def handle(self):
        return self._handle

    @property
    def clock(self):
        return self._clock

    @property
    def timer_period_ns(self):
        self._handle.middleware  # noqa: B018  raises after destroy()
        return self._period

    @timer_period_ns.setter
    def timer_period_ns(self, value):
        self._handle.middleware  # noqa: B018  raises after destroy()
        self._period = int(value)

    def is_ready(self):
        """Whether a call is due."""
        self._handle.middleware  # noqa: B018  raises after destroy()
        return self.is_due()

    def is_due(self):
        """Whether a call is due; never so after destroy()."""
        return not self._canceled and self._handle.valid and (
            self._clock._nanoseconds() >= self._next)

    def is_canceled(self):
        self._handle.middleware  # noqa: B018  raises after destroy()
        return self._canceled

    def cancel(self):
        """Stop the calls until reset()."""
        self._handle.middleware  # noqa: B018  raises after destroy()
        self._canceled = True
        timer_changes.count += 1

    def reset(self):
        """Start again: the next call is one whole period from now."""
        self._handle.middleware  # noqa: B018  raises after destroy()
        self._next = self._clock._nanoseconds() + self._period
        self._canceled = False
        timer_changes.count += 1
        if self._wake is not None:
            self._wake()

    def time_since_last_call(self):
        """Nanoseconds since the last call (or the start)."""
        self._handle.middleware  # noqa: B018  raises after destroy()
        return self._clock._nanoseconds() - self._last

    def time_until_next_call(self):
        """Nanoseconds until the next call, negative if it is late; None for a cancelled timer."""
        self._handle.middleware  # noqa: B018  raises after destroy()
        return None if self._canceled else self._next - self._clock._nanoseconds()

    def time_to_wait(self):
        """Nanoseconds after which the timer may be ready if nothing else happens."""
        if self._canceled or not self._handle.valid:
            return FOREVER
        left = self._next - self._clock._nanoseconds()
        return left if left <= 0 or self._clock._runs_by_itself() else FOREVER

    def next_call(self):
        """When the next call is due [ns], by the timer's clock; None for no more calls."""
        return None if self._canceled or not self._handle.valid else self._next

    @property
    def callback(self):
        return self._callback

    @callback.setter
    def callback(self, callback):
        self._callback, self._wants_info = callback, _wants_info(callback)

    def call(self):
        """Note that the timer is called now; gives the arguments for its callback."""
        now, expected = self._clock._nanoseconds(), self._next
        self._last = now
        self._next += self._period
        if self._next < now:
            behind = now - self._next
            self._next = now if not self._period else (
                self._next + self._period * (1 + (behind - 1) // self._period))
        timer_changes.count += 1
        if not self._wants_info:
            return ()
        return (TimerInfo(expected_call_time=expected, actual_call_time=now,
                          clock_type=self._clock.clock_type),)

    def destroy(self):
        """Stop for good."""
        self._handle.destroy_when_not_in_use()
        timer_changes.count += 1

    def __enter__(self):
        return self

    def __exit__(self, exception_type, exception, traceback):
        self.destroy()

    def _time_jumped(self, change, before):
        """Keep the grid sensible over a jump of ROS time; `before` is the time before it [ns]."""
        now = self._clock._nanoseconds()
        if change in (ClockChange.ROS_TIME_ACTIVATED, ClockChange.ROS_TIME_DEACTIVATED):
            if before:
                self._credit = self._period - (self._next - before)
            if now and self._credit is not None:
                self._last = now - self._credit
                self._next = self._last + self._period
                self._credit = None
        elif now < self._last:
            self._last, self._next = now, now + self._period
        timer_changes.count += 1
        if self._wake is not None and (now >= self._next or change != (
                ClockChange.ROS_TIME_NO_CHANGE)):
            self._wake()


class Rate:
    """Keeps a loop at a pace; its node must be spun in another thread."""

    def __init__(self, timer, *, context):
        self._timer, self._context = timer, context
        self._condition = threading.Condition()
        self._ticks = self._sleepers = 0
        self._destroyed = False
        timer.callback = self._tick
        context.add_waker(self)

    def _tick(self):
        with self._condition:
            self._ticks += 1
            self._condition.notify_all()

    def wake(self):
        """Let sleepers look whether the context is still there."""
        with self._condition:
            self._condition.notify_all()

    def sleep(self):
        """Sleep until the next tick; ROSInterruptException when the context is shut down."""
        with self._condition:
            tick = self._ticks
            while tick == self._ticks:
                self._check()
                self._condition.wait()
            self._check()

    def _check(self):
        if not self._context.ok() or self._destroyed:
            raise ROSInterruptException()
        if self._timer.is_canceled():
            raise RuntimeError('rate cannot sleep: its timer is cancelled')

    def destroy(self):
        """Wake all sleepers with an exception; the rate is used up."""
        self._destroyed = True
        self._timer.destroy()
        self.wake()
