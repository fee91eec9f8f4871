"""The handle of a timer, with the methods that its pybind object has."""
import weakref

from rclpy.impl.handle import Handle


class TimerHandle(Handle):
    """Owns nothing; its Timer ends with it."""

    def __init__(self, timer):
        super().__init__()
        self._timer = weakref.ref(timer)  # which has this handle

    @property
    def timer(self):
        return self._timer()

    def is_timer_ready(self):
        return self.timer.is_ready()

    def is_timer_canceled(self):
        return self.timer.is_canceled()

    def cancel_timer(self):
        self.timer.cancel()

    def reset_timer(self):
        self.timer.reset()

    def call_timer(self):
        """Note that the timer is called now."""
        self.timer.call()

    def get_timer_period(self):
        return self.timer.timer_period_ns

    def change_timer_period(self, period):
        self.timer.timer_period_ns = period

    def time_until_next_call(self):
        return self.timer.time_until_next_call()

    def time_since_last_call(self):
        return self.timer.time_since_last_call()
