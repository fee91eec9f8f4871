"""Bytes from or to a process."""
from .running_process_event import RunningProcessEvent


class ProcessIO(RunningProcessEvent):
    """Emitted for each piece of input or output; fd is 0, 1 or 2."""

    name = 'launch.events.process.ProcessIO'

    def __init__(self, *, text: bytes, fd: int, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__text = text
        self.__from_fd = fd

    @property
    def text(self) -> bytes:
        return self.__text

    @property
    def from_stdin(self) -> bool:
        return self.__from_fd == 0

    @property
    def from_stdout(self) -> bool:
        return self.__from_fd == 1

    @property
    def from_stderr(self) -> bool:
        return self.__from_fd == 2
