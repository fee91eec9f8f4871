"""The handle of a guard condition: what is triggered, and what that wakes."""
from rclpy.impl.handle import Handle


class GuardConditionHandle(Handle):
    """Is triggered once or not at all; wakes the executors that hold it, or all of its context."""

    def __init__(self, context):
        super().__init__()
        self._context, self._triggered, self._wakers = context, False, []
        self.at_end(self._wakers.clear)

    def trigger_guard_condition(self):
        """May be called from any thread."""
        self.middleware  # noqa: B018  raises after destruction
        self._triggered = True
        if not self._wakers:
            self._context._wake()
        for wake in list(self._wakers):
            wake()

    def is_triggered(self):
        return self._triggered

    def take(self):
        """Whether it was triggered; it is not any more then."""
        triggered, self._triggered = self._triggered, False
        return triggered

    def add_waker(self, wake):
        """Call wake() when it is triggered."""
        if wake not in self._wakers:
            self._wakers.append(wake)

    def remove_waker(self, wake):
        if wake in self._wakers:
            self._wakers.remove(wake)
