"""Guard conditions: let an executor run a callback on demand."""
from rclpy.impl.guard_handle import GuardConditionHandle
from rclpy.utilities import get_default_context


class GuardCondition:
    """trigger() makes the executors that hold this condition run `callback` once."""

    def __init__(self, callback, callback_group, context=None):
        self._context = get_default_context() if context is None else context
        self.callback = callback
        self.callback_group = callback_group
        self._executor_event = False  # taken by an executor that has not run it yet
        self._handle = handle = GuardConditionHandle(self._context)
        self.is_triggered, self.take = handle.is_triggered, handle.take
        self.add_waker, self.remove_waker = handle.add_waker, handle.remove_waker

    @property
    def handle(self):
        return self._handle

    def trigger(self):
        """May be called from any thread."""
        self._handle.trigger_guard_condition()

    def destroy(self):
        self._handle.destroy_when_not_in_use()
