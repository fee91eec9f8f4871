"""Clocks: system, steady and ROS time, jumps of time, sleeping."""
from enum import IntEnum
import threading
import time
import weakref

from rclpy.clock_type import ClockType
from rclpy.duration import Duration
from rclpy.exceptions import NotInitializedException
from rclpy.impl.owner_handles import ClockHandle
from rclpy.time import Time
from rclpy.utilities import get_default_context


class ClockChange(IntEnum):
    """How the source of a clock changed."""

    ROS_TIME_NO_CHANGE = 1
    ROS_TIME_ACTIVATED = 2
    ROS_TIME_DEACTIVATED = 3
    SYSTEM_TIME_NO_CHANGE = 4


class JumpThreshold:
    """The jumps of time that a callback is called for."""

    def __init__(self, *, min_forward, min_backward, on_clock_change=True):
        """Give jumps to be reported: a Duration > 0 forward, one < 0 backward, or None for none."""
        if min_forward is not None and min_forward.nanoseconds <= 0:
            raise ValueError('min_forward must be a positive non-zero duration')
        if min_backward is not None and min_backward.nanoseconds >= 0:
            raise ValueError('min_backward must be a negative non-zero duration')
        if min_forward is None and min_backward is None and not on_clock_change:
            raise ValueError('At least one jump threshold must be enabled')
        self.min_forward = min_forward
        self.min_backward = min_backward
        self.on_clock_change = on_clock_change

    def _exceeded_by(self, clock_change, delta):
        if clock_change in (ClockChange.ROS_TIME_ACTIVATED, ClockChange.ROS_TIME_DEACTIVATED):
            return self.on_clock_change
        return (
            (self.min_forward is not None and delta >= self.min_forward.nanoseconds)
            or (self.min_backward is not None and delta <= self.min_backward.nanoseconds))


class TimeJump:
    """What a callback gets of a jump."""

    def __init__(self, clock_change, delta):
        if not isinstance(clock_change, ClockChange):
            raise TypeError('clock_change must be an instance of rclpy.clock.ClockChange')
        self._clock_change, self._delta = clock_change, delta

    @property
    def clock_change(self):
        return self._clock_change

    @property
    def delta(self):
        """The size of the jump, negative where time went back."""
        return self._delta


class JumpHandle:
    """Keeps jump callbacks registered until unregister() or the end of a `with` block."""

    def __init__(self, *, clock, threshold, pre_callback, post_callback):
        if pre_callback is None and post_callback is None:
            raise ValueError('One of pre_callback or post_callback must be callable')
        if pre_callback is not None and not callable(pre_callback):
            raise ValueError('pre_callback must be callable if given')
        if post_callback is not None and not callable(post_callback):
            raise ValueError('post_callback must be callable if given')
        self._clock, self._threshold = clock, threshold
        self._pre_callback, self._post_callback = pre_callback, post_callback
        clock._jump_handles.append(self)

    def unregister(self):
        """Stop the callbacks."""
        if self._clock is not None:
            self._clock._jump_handles.remove(self)
            self._clock = None

    def __enter__(self):
        return self

    def __exit__(self, exception_type, exception, traceback):
        self.unregister()


class Clock:
    """A source of time of one type."""

    def __new__(cls, *, clock_type=ClockType.SYSTEM_TIME):
        if not isinstance(clock_type, ClockType):
            raise TypeError('Clock type must be a ClockType enum')
        if clock_type is ClockType.ROS_TIME and not issubclass(cls, ROSClock):
            return ROSClock.__new__(ROSClock)
        clock = super().__new__(cls)
        clock._clock_type = clock_type
        clock._lock = threading.RLock()
        clock._jump_handles, clock._handle = [], None
        return clock

    def __init__(self, *, clock_type=ClockType.SYSTEM_TIME):
        pass

    @property
    def clock_type(self):
        return self._clock_type

    @property
    def handle(self):
        if self._handle is None:
            self._handle = ClockHandle(self)
        return self._handle

    def __repr__(self):
        return f'Clock(clock_type={self.clock_type.name})'

    def now(self):
        """The time now, of this clock's type."""
        return Time(nanoseconds=self._nanoseconds(), clock_type=self._clock_type)

    def _nanoseconds(self):
        if self._clock_type is ClockType.STEADY_TIME:
            return time.monotonic_ns()
        return time.time_ns()

    def _runs_by_itself(self):
        """Whether this clock advances with real time."""
        return True

    def create_jump_callback(self, threshold, *, pre_callback=None, post_callback=None):
        """Call pre_callback() before and post_callback(TimeJump) after jumps beyond `threshold`."""
        return JumpHandle(
            clock=self, threshold=threshold, pre_callback=pre_callback,
            post_callback=post_callback)

    def sleep_until(self, until, context=None):
        """Sleep until a Time of this clock; False if it ended earlier.

        It ends earlier when the context is shut down or ROS time is switched on or off.
        """
        context = get_default_context() if context is None else context
        if not context.ok():
            raise NotInitializedException('context is not initialized or has been shut down')
        if until.clock_type != self._clock_type:
            raise ValueError("until's clock type does not match this clock's type")
        sleeper = _Sleeper()
        context.add_waker(sleeper)
        threshold = JumpThreshold(
            min_forward=Duration(nanoseconds=1), min_backward=None, on_clock_change=True)
        with self.create_jump_callback(threshold, post_callback=sleeper.jump):
            while context.ok() and not sleeper.source_changed:
                left = until.nanoseconds - self._nanoseconds()
                if left <= 0:
                    return True
                sleeper.wait(left / 1e9 if self._runs_by_itself() else None)
        return False

    def sleep_for(self, rel_time, context=None):
        """Sleep for a Duration; False if it ended earlier."""
        return self.sleep_until(self.now() + rel_time, context)


class _Sleeper:
    """What a sleeping thread waits on."""

    def __init__(self):
        self._event, self.source_changed = threading.Event(), False

    def wait(self, timeout):
        self._event.wait(timeout)
        self._event.clear()

    def wake(self):
        self._event.set()

    def jump(self, jump):
        self.source_changed |= jump.clock_change in (
            ClockChange.ROS_TIME_ACTIVATED, ClockChange.ROS_TIME_DEACTIVATED)
        self._event.set()


class ROSClock(Clock):
    """System time, or the time set by set_ros_time_override while ROS time is active."""

    def __new__(cls, *, clock_type=ClockType.ROS_TIME):
        clock = super().__new__(cls, clock_type=ClockType.ROS_TIME)
        clock._active, clock._override = False, 0
        clock._timers = weakref.WeakSet()
        return clock

    def __init__(self, *, clock_type=ClockType.ROS_TIME):
        pass

    @property
    def ros_time_is_active(self):
        return self._active

    def _runs_by_itself(self):
        return not self._active

    def _nanoseconds(self):
        return self._override if self._active else time.time_ns()

    def _set_ros_time_is_active(self, enabled):
        if enabled == self._active:
            return
        change = ClockChange.ROS_TIME_ACTIVATED if enabled else ClockChange.ROS_TIME_DEACTIVATED

        def switch():
            self._active = enabled

        self._jump(change, switch)

    def set_ros_time_override(self, time):
        """Set the time that is shown while ROS time is active."""
        if not isinstance(time, Time):
            raise TypeError('Time must be specified as rclpy.time.Time. Received type: '
                            f'{type(time)}')

        def move():
            self._override = time.nanoseconds

        if self._active:
            self._jump(ClockChange.ROS_TIME_NO_CHANGE, move, time.nanoseconds - self._override)
        else:
            move()

    def _jump(self, change, act, delta=None):
        """Change the time by act(), informing timers and callbacks before and after."""
        with self._lock:
            before = self._nanoseconds()
            expected = 0 if delta is None else delta
            exceeded = [handle for handle in list(self._jump_handles)
                        if handle._threshold._exceeded_by(change, expected)]
            timers = list(self._timers) if self._timers else ()
            if not exceeded and not timers:
                act()
                return
            for handle in exceeded:
                if handle._pre_callback is not None:
                    handle._pre_callback()
            act()
            size = self._nanoseconds() - before
            for timer in timers:
                timer._time_jumped(change, before)
            jump = TimeJump(change, Duration(nanoseconds=size))
            for handle in exceeded:
                if handle._post_callback is not None:
                    handle._post_callback(jump)
