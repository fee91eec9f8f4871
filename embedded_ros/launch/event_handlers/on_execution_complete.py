"""React to the end of an action's execution."""
from ..action import Action
from ..events import ExecutionComplete
from .on_action_event_base import OnActionEventBase


class OnExecutionComplete(OnActionEventBase):
    """Runs on_completion when the target action (default: any) is complete."""

    def __init__(self, *, target_action=None, on_completion, **kwargs) -> None:
        try:
            super().__init__(
                action_matcher=target_action, on_event=on_completion,
                target_event_cls=ExecutionComplete, target_action_cls=Action, **kwargs)
        except TypeError as error:
            raise ValueError(str(error)) from error
