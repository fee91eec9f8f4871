"""Guard conditions: let an executor run a callback on demand."""
from rclpy.impl.handle import Handle
from rclpy.utilities import get_default_context


class GuardCondition:
    """trigger() makes the executors that hold this condition run `callback` once."""

    def __init__(self, callback, callback_group, context=None):
        self._context = get_default_context() if context is None else context
        self.callback = callback
        self.callback_group = callback_group
        self._executor_event = False  # taken by an executor that has not run it yet
        self._triggered, self._wakers = False, []
        self._handle = Handle()

    @property
    def handle(self):
        return self._handle

    def trigger(self):
        """May be called from any thread."""
        self._handle.middleware  # noqa: B018  raises after destroy()
        self._triggered = True
        for wake in list(self._wakers):
            wake()

    def is_triggered(self):
        return self._triggered

    def take(self):
        """Whether it was triggered; it is not any more then."""
        triggered, self._triggered = self._triggered, False
        return triggered

    def add_waker(self, wake):
        """Call wake() on trigger()."""
        if wake not in self._wakers:
            self._wakers.append(wake)

    def remove_waker(self, wake):
        if wake in self._wakers:
            self._wakers.remove(wake)

    def destroy(self):
        self._wakers.clear()
        self._handle.destroy_when_not_in_use()
