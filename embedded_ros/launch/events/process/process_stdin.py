"""Bytes for the stdin of processes."""
from collections.abc import Callable

from .process_targeted_event import ProcessTargetedEvent


class ProcessStdin(ProcessTargetedEvent):
    """Emitted to write to the stdin of the processes that match."""

    name = 'launch.events.process.ProcessStdin'

    def __init__(self, *, text: bytes, process_matcher: Callable[[object], bool]) -> None:
        super().__init__(process_matcher=process_matcher)
        self.__text = text

    @property
    def text(self) -> bytes:
        return self.__text
