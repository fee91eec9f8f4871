"""A process has been started."""
from .running_process_event import RunningProcessEvent


class ProcessStarted(RunningProcessEvent):
    """Emitted when a process has a pid."""

    name = 'launch.events.process.ProcessStarted'
