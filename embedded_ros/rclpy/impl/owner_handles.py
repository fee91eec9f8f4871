"""The handles of contexts and clocks, which know their owners."""
from rclpy.impl.handle import Handle


class ContextHandle(Handle):
    """Owns nothing: the context gives back its participant by itself."""

    def __init__(self, context):
        super().__init__()
        self.context = context

    def ok(self):
        return self.context.ok()

    def get_domain_id(self):
        return self.context.get_domain_id()

    def shutdown(self):
        self.context.shutdown()


class ClockHandle(Handle):
    """Owns nothing."""

    def __init__(self, clock):
        super().__init__()
        self.clock = clock

    def get_now(self):
        return self.clock.now()

    def get_ros_time_override_is_enabled(self):
        return self.clock.ros_time_is_active

    def set_ros_time_override_is_enabled(self, enabled):
        self.clock._set_ros_time_is_active(enabled)

    def set_ros_time_override(self, time):
        self.clock.set_ros_time_override(time)
