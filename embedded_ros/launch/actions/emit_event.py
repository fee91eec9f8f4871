"""Emit an event."""
from ..action import Action
from ..event import Event
from ..utilities import is_a_subclass


class EmitEvent(Action):
    """Emits a given event."""

    def __init__(self, *, event: Event, **kwargs) -> None:
        super().__init__(**kwargs)
        if not is_a_subclass(event, Event) or isinstance(event, type):
            raise RuntimeError(f"EmitEvent() expected an event instance, got '{event}'.")
        self.__event = event

    @property
    def event(self) -> Event:
        return self.__event

    def describe(self):
        return f"EmitEvent(event='{self.__event.name}')"

    def execute(self, context) -> None:
        context.emit_event_sync(self.__event)
