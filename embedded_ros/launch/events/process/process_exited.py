"""A process has ended."""
from .running_process_event import RunningProcessEvent


class ProcessExited(RunningProcessEvent):
    """Emitted when a process has ended; a signal n gives the code -n."""

    name = 'launch.events.process.ProcessExited'

    def __init__(self, *, returncode: int, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__returncode = returncode

    @property
    def returncode(self) -> int:
        return self.__returncode
