"""React to the start of a process."""
from ..events.process import ProcessStarted
from .on_action_event_base import OnActionEventBase


class OnProcessStart(OnActionEventBase):
    """Runs on_start when the process of the target action (default: any) has a pid."""

    def __init__(self, *, target_action=None, on_start, **kwargs) -> None:
        from ..actions import ExecuteLocal
        super().__init__(action_matcher=target_action, on_event=on_start,
                         target_event_cls=ProcessStarted, target_action_cls=ExecuteLocal, **kwargs)
