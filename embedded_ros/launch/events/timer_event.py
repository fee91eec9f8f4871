"""A timer has run out."""
from ..event import Event


class TimerEvent(Event):
    """Emitted when a timer action's time is over."""

    name = 'launch.events.TimerEvent'

    def __init__(self, *, timer_action) -> None:
        self.__timer_action = timer_action

    @property
    def timer_action(self):
        return self.__timer_action
