"""The executor of our nodes: it wakes once, then takes everything that waits."""

from collections.abc import Callable
from inspect import iscoroutinefunction, signature
import time
from typing import Any
from weakref import WeakKeyDictionary

from rclpy.context import Context
from rclpy.exceptions import InvalidHandle
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.subscription import Subscription

LONGEST_TAKE = 0.01         # wall time after which services and timers have their turn again [s]


class DrainingExecutor(SingleThreadedExecutor):
    """After each wake, takes the messages of all subscriptions until none waits.

    Between two wakes it rests for as long as it, or the `wake_interval` [s] of a node, says.

    On a ROS 2 Jazzy a wake costs some 300 us of processor time, a further message that is taken by
    hand some 20 us.  Services, timers and callbacks that are coroutines are left to rclpy.  Its
    events executor is no substitute yet: it refuses nodes with guard conditions, and callbacks of
    two arguments get one.
    """

    def __init__(self, rest: float = 0.0, *, context: Context | None = None) -> None:
        """Set up; rest: shortest wall time between two wakes [s], for nodes that look on."""
        super().__init__(context=context)
        self.__rest, self.__ended = rest, False
        # subscription -> how many arguments it gives
        self.__sizes: WeakKeyDictionary[Subscription, int] = WeakKeyDictionary()

    def spin(self) -> None:
        """Run callbacks until the executor or its context is shut down.

        Raises ExternalShutdownException for the latter, as rclpy's own executor does.
        """
        while self.context.ok() and not self.__ended:
            begin = time.monotonic()
            left = self.spin_once()
            rest = max([self.__rest, *(getattr(node, 'wake_interval', 0.0)
                                       for node in self.get_nodes())])
            if rest and not left and not self.__ended:
                time.sleep(max(0.0, begin + rest - time.monotonic()))
        if not self.__ended:
            raise ExternalShutdownException

    def spin_once(              # type: ignore[override]
            self, timeout_sec: float | None = None) -> int:
        """Wait for one piece of work, at most for the time, run it, and take what waits.

        Returns whether some messages are left.
        """
        super().spin_once(timeout_sec)
        return self.__take_all()

    def shutdown(self, timeout_sec: float | None = None) -> bool:
        """Stop spinning and let go of all nodes; False if callbacks still run after the time."""
        self.__ended = True
        return super().shutdown(timeout_sec)

    def __take_all(self) -> int:
        """Take one message of each subscription in turn; return whether some are left."""
        until = time.monotonic() + LONGEST_TAKE
        waiting = [one for node in self.get_nodes() for one in node.subscriptions]
        while waiting and self.context.ok() and time.monotonic() < until:
            waiting = [one for one in waiting if self.__take(one)]
        return bool(waiting)

    def __take(self, subscription: Subscription) -> bool:
        """Take a message and call back; return whether there was one."""
        if self.__ended or not self.can_execute(subscription):
            return False
        size = self.__sizes.get(subscription)
        if size is None:
            size = self.__sizes[subscription] = _arguments(subscription.callback)
        if not size:
            return False
        try:
            with subscription.handle:
                taken = subscription.handle.take_message(subscription.msg_type, subscription.raw)
        except InvalidHandle:       # destroyed by a callback meanwhile
            return False
        if taken is None:
            return False
        subscription.callback(*taken[:size])
        return True


def _arguments(callback: Callable[..., Any]) -> int:
    """Return how many arguments of (message, information on it) a callback takes; 0: leave it."""
    if iscoroutinefunction(callback):
        return 0
    try:
        signature(callback).bind(None)
    except TypeError:
        return 2
    except ValueError:      # a builtin that has no signature
        return 1
    return 1
