"""Events of a launch."""
from . import process
from .process import Event

__all__ = ['Event', 'ExecutionComplete', 'IncludeLaunchDescription', 'Shutdown', 'TimerEvent',
           'matches_action', 'process']


class ExecutionComplete(Event):
    """Emitted when an action is complete and something waits for that."""

    name = 'launch.events.ExecutionComplete'

    def __init__(self, *, action) -> None:
        self.action = action


class IncludeLaunchDescription(Event):
    """Emitted to include a launch description in the running launch."""

    name = 'launch.events.IncludeLaunchDescription'

    def __init__(self, launch_description) -> None:
        self.launch_description = launch_description


class Shutdown(Event):
    """Emitted when the launched system should be shut down."""

    name = 'launch.events.Shutdown'

    def __init__(self, *, reason: str = 'reason not given', due_to_sigint: bool = False) -> None:
        self.reason = reason
        self.due_to_sigint = due_to_sigint


class TimerEvent(Event):
    """Emitted when a timer action's time is over."""

    name = 'launch.events.TimerEvent'

    def __init__(self, *, timer_action) -> None:
        self.timer_action = timer_action


def matches_action(target_action):
    """Return a predicate: whether an action is this one."""
    return lambda action: action == target_action
