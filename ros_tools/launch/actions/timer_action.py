"""Act after a time."""
import asyncio
from collections.abc import Iterable

from ..action import Action
from ..event_handlers import EventHandler
from ..events import Shutdown, TimerEvent
from ..launch_context import LaunchContext
from ..launch_description_entity import LaunchDescriptionEntity, SomeSubstitutionsType
from ..utilities import ensure_argument_type
from ..utilities.type_utils import normalize_typed_substitution, perform_typed_substitution
from .opaque_function import OpaqueFunction


class TimerAction(Action):
    """Runs actions once, a period [s] after it was executed; cancelled by cancel() and shutdown."""

    def __init__(self, *, period: float | SomeSubstitutionsType,
                 actions: Iterable[LaunchDescriptionEntity], cancel_on_shutdown: bool = True,
                 **kwargs) -> None:
        super().__init__(**kwargs)
        ensure_argument_type(cancel_on_shutdown, bool, 'cancel_on_shutdown', 'TimerAction')
        self.__period = normalize_typed_substitution(period, float)
        self.__actions = list(actions)
        self.__cancel_on_shutdown = cancel_on_shutdown
        self.__locals: dict = {}
        self.__future: asyncio.Future | None = None
        self.__canceled = False
        self.__registered = False
        self._cancel_wait: asyncio.Future | None = None

    def describe(self) -> str:
        return f'TimerAction(period={self.__period!r}, actions=<actions>)'

    def describe_conditional_sub_entities(self):
        return [(f'after {self.__period!r} seconds', self.__actions)]

    def cancel(self) -> None:
        """Cancel the timer; its actions will not run."""
        self.__canceled = True
        if self._cancel_wait is not None and not self._cancel_wait.done():
            self._cancel_wait.set_result(True)

    def handle(self, context: LaunchContext) -> list[LaunchDescriptionEntity]:
        """Return the actions, with the locals of the time when the timer was started."""
        context.extend_locals(self.__locals)
        return self.__actions

    async def _wait(self, context: LaunchContext) -> None:
        period = perform_typed_substitution(context, self.__period, float)
        await asyncio.wait([self._cancel_wait], timeout=period)
        if not self._cancel_wait.done():
            await context.emit_event(TimerEvent(timer_action=self))
            self._set_done()

    def _set_done(self) -> None:
        if not self.__future.done():
            self.__future.set_result(None)

    def execute(self, context: LaunchContext) -> None:
        if context.is_shutdown and self.__cancel_on_shutdown:
            return
        self.__future = context.asyncio_loop.create_future()
        if self.__canceled:
            self._set_done()
            return
        self._cancel_wait = context.asyncio_loop.create_future()
        self._cancel_wait.add_done_callback(lambda _: self._set_done())
        self.__locals = dict(context.get_locals_as_dict())
        if not self.__registered:
            self.__registered = True
            self._register(context)
        context.add_completion_future(context.asyncio_loop.create_task(self._wait(context)))

    def _register(self, context: LaunchContext) -> None:
        context.register_event_handler(EventHandler(
            matcher=lambda event: isinstance(event, TimerEvent) and event.timer_action is self,
            entities=OpaqueFunction(function=self.handle)))
        if self.__cancel_on_shutdown:
            context.register_event_handler(EventHandler(
                matcher=lambda event: isinstance(event, Shutdown),
                entities=OpaqueFunction(function=lambda context: self.cancel())))

    def get_asyncio_future(self) -> asyncio.Future | None:
        return self.__future
