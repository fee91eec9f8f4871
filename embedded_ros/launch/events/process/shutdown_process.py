"""Processes are to end."""
from .process_targeted_event import ProcessTargetedEvent


class ShutdownProcess(ProcessTargetedEvent):
    """Emitted to end the processes that match: SIGINT, then SIGTERM, then SIGKILL."""

    name = 'launch.events.process.ShutdownProcess'
