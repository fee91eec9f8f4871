"""The launch is to end."""

from ..event import Event


class Shutdown(Event):
    """Emitted when the launched system should be shut down."""

    name = 'launch.events.Shutdown'

    def __init__(self, *, reason: str = 'reason not given', due_to_sigint: bool = False) -> None:
        self.__reason = reason
        self.__due_to_sigint = due_to_sigint

    @property
    def reason(self) -> str:
        return self.__reason

    @property
    def due_to_sigint(self) -> bool:
        return self.__due_to_sigint
