"""Take an event handler out."""
from ..action import Action
from ..event_handler import BaseEventHandler


class UnregisterEventHandler(Action):
    """Ends the work of an event handler."""

    def __init__(self, event_handler: BaseEventHandler, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__event_handler = event_handler

    @property
    def event_handler(self) -> BaseEventHandler:
        return self.__event_handler

    def execute(self, context) -> None:
        context.unregister_event_handler(self.__event_handler)
