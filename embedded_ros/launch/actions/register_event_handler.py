"""Register an event handler."""
from ..action import Action
from ..event_handler import BaseEventHandler


class RegisterEventHandler(Action):
    """Lets an event handler act from now on."""

    def __init__(self, event_handler: BaseEventHandler, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__event_handler = event_handler

    @property
    def event_handler(self) -> BaseEventHandler:
        return self.__event_handler

    def describe(self):
        return f'RegisterEventHandler({self.__event_handler.describe()[0]})'

    def describe_conditional_sub_entities(self):
        text, entities = self.__event_handler.describe()
        return [(text, entities)] if entities else []

    def execute(self, context) -> None:
        context.register_event_handler(self.__event_handler)
