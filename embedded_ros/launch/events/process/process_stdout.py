"""Bytes on the stdout of a process."""
from .process_io import ProcessIO


class ProcessStdout(ProcessIO):
    """A ProcessIO of stdout."""

    name = 'launch.events.process.ProcessStdout'

    def __init__(self, *, text: bytes, **kwargs) -> None:
        super().__init__(text=text, fd=1, **kwargs)
