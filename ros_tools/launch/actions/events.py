"""Emit events, and register what reacts to them."""
from .. import events
from ..action import Action
from ..event_handlers import BaseEventHandler
from ..events.process import ProcessExited
from ..logging import get_logger


class EmitEvent(Action):
    """Emits a given event."""

    def __init__(self, *, event: events.Event, **kwargs) -> None:
        super().__init__(**kwargs)
        if not isinstance(event, events.Event):
            raise RuntimeError(f"EmitEvent() expected an event instance, got '{event}'.")
        self.__event = event

    def describe(self):
        return f"EmitEvent(event='{self.__event.name}')"

    def execute(self, context) -> None:
        context.emit_event_sync(self.__event)


class Shutdown(EmitEvent):
    """Emits a Shutdown event; as on_exit of a process it says that the process was required."""

    def __init__(self, *, reason: str = 'reason not given', **kwargs) -> None:
        super().__init__(event=events.Shutdown(reason=reason), **kwargs)

    def execute(self, context) -> None:
        event = context.get_locals_as_dict().get('event')
        if isinstance(event, ProcessExited):
            get_logger('launch').info(
                f'process[{event.process_name}] was required: shutting down launched system')
        super().execute(context)


class RegisterEventHandler(Action):
    """Lets an event handler act from now on."""

    def __init__(self, event_handler: BaseEventHandler, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__event_handler = event_handler

    def describe(self):
        return f'RegisterEventHandler({self.__event_handler.describe()[0]})'

    def describe_conditional_sub_entities(self):
        text, entities = self.__event_handler.describe()
        return [(text, entities)] if entities else []

    def execute(self, context) -> None:
        context.register_event_handler(self.__event_handler)


class UnregisterEventHandler(Action):
    """Ends the work of an event handler."""

    def __init__(self, event_handler: BaseEventHandler, **kwargs) -> None:
        super().__init__(**kwargs)
        self.__event_handler = event_handler

    def execute(self, context) -> None:
        context.unregister_event_handler(self.__event_handler)
