"""React to what processes print and read."""
from collections.abc import Callable

from ..events.process import ProcessIO
from .on_action_event_base import OnActionEventBase


class OnProcessIO(OnActionEventBase):
    """Calls a function with the ProcessIO event; what it returns is visited."""

    def __init__(self, *, target_action=None, on_stdin: Callable | None = None,
                 on_stdout: Callable | None = None, on_stderr: Callable | None = None,
                 **kwargs) -> None:
        from ..actions import ExecuteLocal

        def on_event(event: ProcessIO, context):
            if event.from_stdout and on_stdout is not None:
                return on_stdout(event)
            if event.from_stderr and on_stderr is not None:
                return on_stderr(event)
            if event.from_stdin and on_stdin is not None:
                return on_stdin(event)
            return None
        super().__init__(action_matcher=target_action, on_event=on_event,
                         target_event_cls=ProcessIO, target_action_cls=ExecuteLocal, **kwargs)
