"""An action has done its work."""
from ..event import Event


class ExecutionComplete(Event):
    """Emitted when an action is complete and something waits for that."""

    name = 'launch.events.ExecutionComplete'

    def __init__(self, *, action) -> None:
        self.__action = action

    @property
    def action(self):
        return self.__action
