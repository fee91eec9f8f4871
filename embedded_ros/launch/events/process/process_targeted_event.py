"""A wish that concerns some of the running processes."""
from collections.abc import Callable

from ...event import Event


class ProcessTargetedEvent(Event):
    """Base of events to which the processes that match react."""

    name = 'launch.events.process.ProcessTargetedEvent'

    def __init__(self, *, process_matcher: Callable[[object], bool]) -> None:
        self.__process_matcher = process_matcher

    @property
    def process_matcher(self) -> Callable[[object], bool]:
        """Function from an ExecuteLocal action to whether it is meant."""
        return self.__process_matcher
