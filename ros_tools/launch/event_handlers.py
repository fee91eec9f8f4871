"""What is to be done when an event of a kind happens."""
from collections.abc import Callable

from .events import Event, ExecutionComplete, IncludeLaunchDescription, Shutdown
from .events.process import ProcessExited, ProcessIO, ProcessStarted
from .launch_context import LaunchContext
from .launch_description_entity import LaunchDescriptionEntity, SomeEntitiesType


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


class OnExecutionComplete(OnActionEventBase):
    """Runs on_completion when the target action (default: any) is complete."""

    def __init__(self, *, target_action=None, on_completion, **kwargs) -> None:
        from .action import Action
        try:
            super().__init__(
                action_matcher=target_action, on_event=on_completion,
                target_event_cls=ExecutionComplete, target_action_cls=Action, **kwargs)
        except TypeError as error:
            raise ValueError(str(error)) from error


class OnIncludeLaunchDescription(BaseEventHandler):
    """Visits the launch description of each IncludeLaunchDescription event."""

    def __init__(self, **kwargs) -> None:
        super().__init__(matcher=lambda event: isinstance(event, IncludeLaunchDescription),
                         **kwargs)

    def handle(self, event, context):
        super().handle(event, context)
        return event.launch_description


class OnProcessExit(OnActionEventBase):
    """Runs on_exit when the process of the target action (default: any) has ended."""

    def __init__(self, *, target_action=None, on_exit, **kwargs) -> None:
        from .actions import ExecuteLocal
        super().__init__(action_matcher=target_action, on_event=on_exit,
                         target_event_cls=ProcessExited, target_action_cls=ExecuteLocal, **kwargs)


class OnProcessIO(OnActionEventBase):
    """Calls a function with the ProcessIO event; what it returns is visited."""

    def __init__(self, *, target_action=None, on_stdout: Callable | None = None,
                 on_stderr: Callable | None = None, **kwargs) -> None:
        from .actions import ExecuteLocal

        def on_event(event: ProcessIO, context):
            if event.from_stdout and on_stdout is not None:
                return on_stdout(event)
            if event.from_stderr and on_stderr is not None:
                return on_stderr(event)
            return None
        super().__init__(action_matcher=target_action, on_event=on_event,
                         target_event_cls=ProcessIO, target_action_cls=ExecuteLocal, **kwargs)


class OnProcessStart(OnActionEventBase):
    """Runs on_start when the process of the target action (default: any) has a pid."""

    def __init__(self, *, target_action=None, on_start, **kwargs) -> None:
        from .actions import ExecuteLocal
        super().__init__(action_matcher=target_action, on_event=on_start,
                         target_event_cls=ProcessStarted, target_action_cls=ExecuteLocal, **kwargs)


class OnShutdown(BaseEventHandler):
    """Runs on_shutdown (entities, or a function of event and context) at a Shutdown event."""

    def __init__(self, *, on_shutdown, **kwargs) -> None:
        super().__init__(matcher=lambda event: isinstance(event, Shutdown), **kwargs)
        self.__on_shutdown = check_entities(on_shutdown)

    def handle(self, event, context):
        super().handle(event, context)
        if callable(self.__on_shutdown):
            return self.__on_shutdown(event, context)
        return self.__on_shutdown

    def describe(self):
        text, _ = super().describe()
        return text, [] if callable(self.__on_shutdown) else self.__on_shutdown

    @property
    def matcher_description(self):
        return 'event issubclass of launch.events.Shutdown'

    @property
    def handler_description(self):
        return f'{self.__on_shutdown}' if callable(self.__on_shutdown) else '<actions>'
