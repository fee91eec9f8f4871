"""Run a coroutine when the launch runs."""
import asyncio
from collections.abc import Callable, Iterable
from typing import Any

from ..action import Action
from ..event_handlers import OnShutdown
from ..utilities import ensure_argument_type


class OpaqueCoroutine(Action):
    """Runs coroutine(context, *args, **kwargs) in the loop of the launch; cancelled at shutdown.

    With ignore_context=True the coroutine is called without the context.
    """

    def __init__(self, *, coroutine: Callable, args: Iterable[Any] | None = None,
                 kwargs: dict[str, Any] | None = None, ignore_context: bool = False,
                 **left_over_kwargs) -> None:
        super().__init__(**left_over_kwargs)
        if not asyncio.iscoroutinefunction(coroutine):
            raise TypeError("OpaqueCoroutine expected a coroutine function for 'coroutine', "
                            f"got '{type(coroutine)}'")
        ensure_argument_type(args, (Iterable, type(None)), 'args', 'OpaqueCoroutine')
        ensure_argument_type(kwargs, (dict, type(None)), 'kwargs', 'OpaqueCoroutine')
        ensure_argument_type(ignore_context, bool, 'ignore_context', 'OpaqueCoroutine')
        self.__coroutine = coroutine
        self.__args = tuple(args or ())
        self.__kwargs = dict(kwargs or {})
        self.__ignore_context = ignore_context
        self.__future: asyncio.Future | None = None

    def execute(self, context) -> None:
        arguments = self.__args if self.__ignore_context else (context, *self.__args)
        self.__future = context.asyncio_loop.create_task(
            self.__coroutine(*arguments, **self.__kwargs))

        def cancel(event, context):
            self.__future.cancel()
        handler = OnShutdown(on_shutdown=cancel)
        context.register_event_handler(handler)
        self.__future.add_done_callback(lambda _: context.unregister_event_handler(handler))

    def get_asyncio_future(self) -> asyncio.Future | None:
        return self.__future
