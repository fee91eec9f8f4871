"""Why an executor stopped waiting; programs know these from rclpy.executors."""


class TimeoutException(Exception):
    """Waiting took longer than it may."""


class ShutdownException(Exception):
    """The executor was shut down while it waited."""


class ExternalShutdownException(Exception):
    """The context was shut down while the executor waited."""

    def __init__(self, message=''):
        super().__init__(message)


class ConditionReachedException(Exception):
    """The condition that a spin waits for holds."""


for _exception in (
        TimeoutException, ShutdownException, ExternalShutdownException, ConditionReachedException):
    _exception.__module__ = 'rclpy.executors'
