"""What is to be done when an event of a kind happens."""
from collections.abc import Callable

from .event import Event
from .launch_context import LaunchContext
from .launch_description_entity import LaunchDescriptionEntity
from .some_entities_type import SomeEntitiesType


class BaseEventHandler:
    """A matcher of events, and what to do when one matches."""

    def __init__(self, *, matcher: Callable[[Event], bool], handle_once: bool = False) -> None:
        self.__matcher = matcher
        self.__handle_once = handle_once

    @property
    def handle_once(self) -> bool:
        """Whether this handler is taken out after its first event."""
        return self.__handle_once

    @property
    def handler_description(self) -> str:
        """Description of what is done."""
        return self._description('handler')

    @property
    def matcher_description(self) -> str:
        """Description of the events that match."""
        return self._description('matcher')

    def _description(self, role: str) -> str:
        return f'<{role} of {type(self).__name__}>'

    def matches(self, event: Event) -> bool:
        """Return whether the event concerns this handler."""
        return self.__matcher(event)

    def describe(self) -> tuple[str, list[LaunchDescriptionEntity]]:
        """Return a line of description, and the entities which the handler always runs."""
        return (f"{type(self).__name__}(matcher='{self.matcher_description}', "
                f"handler='{self.handler_description}', handle_once={self.handle_once})", [])

    def handle(self, event: Event, context: LaunchContext) -> SomeEntitiesType | None:
        """Note the event in context.locals.event and unregister a handle_once handler."""
        context.extend_locals({'event': event})
        if self.handle_once:
            context.unregister_event_handler(self)
        return None


class EventHandler(BaseEventHandler):
    """An event handler with entities of its own."""

    def __init__(self, *, matcher: Callable[[Event], bool],
                 entities: SomeEntitiesType | None = None, handle_once: bool = False) -> None:
        super().__init__(matcher=matcher, handle_once=handle_once)
        self.__entities = entities

    @property
    def entities(self) -> SomeEntitiesType | None:
        """The entities to visit when an event matches."""
        return self.__entities

    def describe(self) -> tuple[str, list[LaunchDescriptionEntity]]:
        from .utilities import normalize_to_list_of_entities
        text, _ = super().describe()
        entities = self.__entities
        return text, normalize_to_list_of_entities([] if entities is None else entities)

    def handle(self, event: Event, context: LaunchContext) -> SomeEntitiesType | None:
        super().handle(event, context)
        return self.entities
