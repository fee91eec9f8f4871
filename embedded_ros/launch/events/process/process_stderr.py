"""Bytes on the stderr of a process."""
from .process_io import ProcessIO


class ProcessStderr(ProcessIO):
    """A ProcessIO of stderr."""

    name = 'launch.events.process.ProcessStderr'

    def __init__(self, *, text: bytes, **kwargs) -> None:
        super().__init__(text=text, fd=2, **kwargs)
