"""React to the end of a process."""
from ..events.process import ProcessExited
from .on_action_event_base import OnActionEventBase


class OnProcessExit(OnActionEventBase):
    """Runs on_exit when the process of the target action (default: any) has ended."""

    def __init__(self, *, target_action=None, on_exit, **kwargs) -> None:
        from ..actions import ExecuteLocal
        super().__init__(action_matcher=target_action, on_event=on_exit,
                         target_event_cls=ProcessExited, target_action_cls=ExecuteLocal, **kwargs)
