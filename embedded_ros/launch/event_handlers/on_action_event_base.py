"""Handlers of events which belong to an action."""
from collections.abc import Callable

from ..event import Event
from ..event_handler import BaseEventHandler
from ..launch_context import LaunchContext
from ..launch_description_entity import LaunchDescriptionEntity
from ..some_entities_type import SomeEntitiesType


class OnActionEventBase(BaseEventHandler):
    """Reacts to events of one action, of the actions a function selects, or of any action."""

    def __init__(self, *, action_matcher: Callable | object | None,
                 on_event: SomeEntitiesType | Callable,
                 target_event_cls: type[Event], target_action_cls: type,
                 **kwargs) -> None:
        if not issubclass(target_event_cls, Event):
            raise TypeError("'target_event_cls' must be a subclass of 'Event'")
        if not (action_matcher is None or isinstance(action_matcher, target_action_cls)
                or callable(action_matcher)):
            raise TypeError(f"action_matcher must be an '{target_action_cls.__name__}' "
                            'instance or a callable')
        self.__matcher = action_matcher
        self.__event_class = target_event_cls
        self.__action_class = target_action_cls
        self.__on_event = check_entities(on_event)
        super().__init__(matcher=self._is_meant, **kwargs)

    def _is_meant(self, event: Event) -> bool:
        if not isinstance(event, self.__event_class):
            return False
        if self.__matcher is None or event.action is self.__matcher:
            return True
        return (not isinstance(self.__matcher, LaunchDescriptionEntity)
                and bool(self.__matcher(event.action)))

    def handle(self, event: Event, context: LaunchContext) -> SomeEntitiesType | None:
        super().handle(event, context)
        return self.__on_event(event, context) if callable(self.__on_event) else self.__on_event

    def describe(self) -> tuple[str, list[LaunchDescriptionEntity]]:
        text, _ = super().describe()
        return text, [] if callable(self.__on_event) else list(self.__on_event)

    @property
    def handler_description(self) -> str:
        return f'{self.__on_event}' if callable(self.__on_event) else '<actions>'

    @property
    def matcher_description(self) -> str:
        event = f'event == {self.__event_class.__name__}'
        if self.__matcher is None:
            return event
        return f'{event} and {self.__action_class.__name__}(event.action)'


def check_entities(on_event):
    """Return a function as it is and entities as a list; a TypeError for anything else."""
    if callable(on_event):
        return on_event
    entities = [on_event] if isinstance(on_event, LaunchDescriptionEntity) else list(on_event)
    for entity in entities:
        if not isinstance(entity, LaunchDescriptionEntity):
            raise TypeError("expected a callable, or an iterable of 'LaunchDescriptionEntity', "
                            f"but got an item of type '{type(entity)}'")
    return entities
