"""What a running launch knows: configurations, environment, local and global values, events."""
import asyncio
import collections
from collections.abc import Iterable, Mapping
import os
import threading
from typing import Any

from .events import Event
from .launch_description_entity import Substitution


class LaunchContext:
    """Runtime state which is handed to everything that is visited."""

    def __init__(self, *, argv: Iterable[str] | None = None,
                 noninteractive: bool = False) -> None:
        self.__argv = list(argv) if argv is not None else []
        self.__noninteractive = noninteractive
        self._event_queue: asyncio.Queue = asyncio.Queue()
        self._event_handlers: collections.deque = collections.deque()
        self._completion_futures: list[asyncio.Future] = []
        self.__globals: dict[str, Any] = {}
        self.__locals: dict[str, Any] = {}
        self.__locals_stack: list[dict[str, Any]] = []
        self.__configurations: dict[str, str] = {}
        self.__configurations_stack: list[dict[str, str]] = []
        self.__environment_reset = dict(os.environ)
        self.__environment_stack: list[dict[str, str]] = []
        self.__is_shutdown = False
        self.__loop: asyncio.AbstractEventLoop | None = None
        self.__logger = None
        self.__queue_lock = threading.Lock()

    @property
    def argv(self) -> list[str]:
        """Arguments given to the launch service."""
        return self.__argv

    @property
    def noninteractive(self) -> bool:
        """Whether no terminal is there which would signal the whole process group on Ctrl-C."""
        return self.__noninteractive

    @property
    def is_shutdown(self) -> bool:
        return self.__is_shutdown

    def _set_is_shutdown(self, state: bool) -> None:
        self.__is_shutdown = state

    @property
    def asyncio_loop(self) -> asyncio.AbstractEventLoop | None:
        """The loop of the running launch service."""
        return self.__loop

    def _set_asyncio_loop(self, loop: asyncio.AbstractEventLoop | None) -> None:
        with self.__queue_lock:
            self.__loop = loop
            if loop is not None:        # a queue belongs to the first loop that waits for it
                queue, self._event_queue = self._event_queue, asyncio.Queue()
                while not queue.empty():
                    self._event_queue.put_nowait(queue.get_nowait())

    def add_completion_future(self, completion_future: asyncio.Future) -> None:
        """Keep the launch alive until this future is done."""
        self._completion_futures.append(completion_future)

    # --- local and global values

    @property
    def locals(self):
        """Values of the event or launch file being handled, then global ones, as attributes."""
        return AttributeView(self.get_locals_as_dict())

    def get_locals_as_dict(self) -> dict[str, Any]:
        return {**self.__globals, **self.__locals}

    def extend_locals(self, extensions: dict[str, Any]) -> None:
        """Add or replace local values."""
        self.__locals.update(extensions)

    def _push_locals(self) -> None:
        self.__locals_stack.append(dict(self.__locals))

    def _pop_locals(self) -> None:
        if not self.__locals_stack:
            raise RuntimeError('locals stack unexpectedly empty')
        self.__locals = self.__locals_stack.pop()

    @property
    def globals(self):
        """Values of the whole launch, as attributes."""
        return AttributeView(self.__globals)

    def get_globals_as_dict(self) -> dict[str, Any]:
        return self.__globals

    def extend_globals(self, extensions: dict[str, Any]) -> None:
        """Add or replace global values."""
        self.__globals.update(extensions)

    # --- launch configurations

    @property
    def launch_configurations(self) -> dict[str, str]:
        return self.__configurations

    def _push_launch_configurations(self) -> None:
        self.__configurations_stack.append(dict(self.__configurations))

    def _pop_launch_configurations(self) -> None:
        if not self.__configurations_stack:
            raise RuntimeError('launch configurations stack unexpectedly empty')
        self.__configurations.clear()
        self.__configurations.update(self.__configurations_stack.pop())

    # --- environment (of this process: what is started inherits it)

    @property
    def environment(self) -> Mapping[str, str]:
        return os.environ

    def _push_environment(self) -> None:
        self.__environment_stack.append(dict(os.environ))

    def _pop_environment(self) -> None:
        if not self.__environment_stack:
            raise RuntimeError('environment stack unexpectedly empty')
        self._replace_environment(self.__environment_stack.pop())

    def _reset_environment(self) -> None:
        """Return to the environment this context was made in."""
        self._replace_environment(self.__environment_reset)

    def _replace_environment(self, environment: Mapping[str, str]) -> None:
        if dict(os.environ) != dict(environment):
            os.environ.clear()
            os.environ.update(environment)

    # --- events

    def register_event_handler(self, event_handler, append: bool = False) -> None:
        """Add a handler in front of the others, or behind them."""
        if append:
            self._event_handlers.append(event_handler)
        else:
            self._event_handlers.appendleft(event_handler)

    def unregister_event_handler(self, event_handler) -> None:
        """Take a handler out; a ValueError if it is not registered."""
        self._event_handlers.remove(event_handler)

    def would_handle_event(self, event: Event) -> bool:
        """Return whether some handler matches this event."""
        return any(handler.matches(event) for handler in tuple(self._event_handlers))

    def emit_event_sync(self, event: Event) -> None:
        """Queue an event, from any thread."""
        self._logger.debug(f"emitting event synchronously: '{event.name}'")
        with self.__queue_lock:
            loop = self.__loop
            if loop is None or running_loop() is loop:
                self._event_queue.put_nowait(event)
            else:
                loop.call_soon_threadsafe(self._event_queue.put_nowait, event)

    async def emit_event(self, event: Event) -> None:
        """Queue an event, from a coroutine of the launch service."""
        self._logger.debug(f"emitting event: '{event.name}'")
        await self._event_queue.put(event)

    def perform_substitution(self, sub: Substitution) -> str:
        return sub.perform(self)

    @property
    def _logger(self):
        if self.__logger is None:
            from .logging import get_logger
            self.__logger = get_logger(__name__)
        return self.__logger


class AttributeView:
    """The entries of a dict as attributes."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__['_values'] = values

    def __getattr__(self, key):
        try:
            return self._values[key]
        except KeyError:
            raise AttributeError(f"context.locals does not contain attribute '{key}'") from None

    def __setattr__(self, key, value):
        raise AttributeError("can't set attribute, locals are read-only")

    def __dir__(self):
        return list(self._values)


def running_loop() -> asyncio.AbstractEventLoop | None:
    """Return the loop running in this thread, if any."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
