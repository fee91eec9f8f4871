"""Run launch descriptions."""
import asyncio
from collections.abc import Coroutine, Iterable
import signal
import threading
import traceback

from .event_handlers import OnIncludeLaunchDescription, OnShutdown
from .events import Event, IncludeLaunchDescription, Shutdown
from .invalid_launch_file_error import place_of
from .launch_context import LaunchContext
from .launch_description import LaunchDescription
from .launch_description_entity import LaunchDescriptionEntity
from .logging import get_logger, launch_config, log_launch_config
from .utilities import (
    normalize_to_list_of_entities,
    visit_all_entities_and_collect_futures,
)
from .utilities.signal_management import AsyncSafeSignalManager

TERMINATED = 128 + signal.SIGTERM       # exit code, as shells report a terminated program


class LaunchService:
    """Processes events, starting with the included descriptions, until nothing is left to do."""

    def __init__(self, *, argv: Iterable[str] | None = None, noninteractive: bool = False,
                 debug: bool = False) -> None:
        import logging
        if debug:
            launch_config.level = logging.DEBUG
        self.__debug = debug
        self.__logger = get_logger('launch')
        self.__context = LaunchContext(argv=argv, noninteractive=noninteractive)
        self.__context.register_event_handler(OnIncludeLaunchDescription())
        self.__context.register_event_handler(OnShutdown(on_shutdown=self._on_shutdown))
        self.__context.extend_globals({'launch_service': self})
        self.__lock = threading.Lock()
        self.__task: asyncio.Task | None = None
        self.__loop: asyncio.AbstractEventLoop | None = None
        self.__thread: int | None = None        # in which the loop runs
        self.__shutting_down = False
        self.__sigint_received = False
        self.__return_code = 0
        self.__failure = ''
        self._entity_future_pairs: list[tuple[LaunchDescriptionEntity, asyncio.Future]] = []

    @property
    def context(self) -> LaunchContext:
        return self.__context

    @property
    def failure(self) -> str:
        """The words of the exceptions that ended the last run, empty if none did."""
        return self.__failure

    def emit_event(self, event: Event) -> None:
        """Queue an event, from any thread."""
        self.__context.emit_event_sync(event)

    def include_launch_description(self, launch_description: LaunchDescription) -> None:
        """Let a launch description be visited as soon as the service runs."""
        self.emit_event(IncludeLaunchDescription(launch_description))

    def run(self, *, shutdown_when_idle: bool = True) -> int:
        """Run to the end; return 0, 1 if an exception ended the launch, 143 if SIGTERM did."""
        loop = asyncio.new_event_loop()
        try:
            asyncio.set_event_loop(loop)
            task = loop.create_task(self.run_async(shutdown_when_idle=shutdown_when_idle))
            while True:
                try:
                    return loop.run_until_complete(task)
                except KeyboardInterrupt:   # outside of the time in which signals are handled
                    if task.done():
                        self.__logger.warning('user interrupted with ctrl-c (SIGINT)')
                        return 0
        finally:
            asyncio.set_event_loop(None)
            loop.close()

    async def run_async(self, *, shutdown_when_idle: bool = True) -> int:
        """Run to the end inside a loop that runs already; return as run() does."""
        with self.__lock:
            if self.__task is not None:
                raise RuntimeError('LaunchService cannot be run multiple times concurrently')
            self.__task = asyncio.current_task()
        self.__loop = asyncio.get_running_loop()
        self.__thread = threading.get_ident()
        self.__context._set_asyncio_loop(self.__loop)
        self.__return_code, self.__failure = 0, ''
        try:
            with self._signals():
                log_launch_config(logger=self.__logger)
                await self._process_until_done(shutdown_when_idle)
            return self.__return_code
        finally:
            self.__context._set_asyncio_loop(None)
            with self.__lock:
                self.__task = self.__loop = None
            self.__shutting_down = self.__sigint_received = False
            self.__context._set_is_shutdown(False)

    def _signals(self) -> AsyncSafeSignalManager:
        manager = AsyncSafeSignalManager(self.__loop)
        if threading.current_thread() is threading.main_thread():
            manager.handle(signal.SIGINT, self._on_sigint)
            manager.handle(signal.SIGTERM, self._on_sigterm)
            if hasattr(signal, 'SIGQUIT'):
                manager.handle(signal.SIGQUIT, self._on_sigquit)
        return manager

    def _on_sigint(self, signum) -> None:
        message = 'user interrupted with ctrl-c (SIGINT)'
        if self.__sigint_received or self.__shutting_down:
            self.__logger.warning(f'{message} again, ignoring...')
            return
        self.__logger.warning(message)
        self.__sigint_received = True
        self._shutdown(reason='ctrl-c (SIGINT)', due_to_sigint=True)

    def _on_sigterm(self, signum) -> None:
        if self.__shutting_down:
            self.__logger.warning('received SIGTERM while ending, ignoring...')
            return
        self.__logger.warning('received SIGTERM')
        self.__return_code = TERMINATED
        self._shutdown(reason='SIGTERM', due_to_sigint=False)

    def _on_sigquit(self, signum) -> None:
        self.__logger.error('user interrupted with ctrl-\\ (SIGQUIT), terminating...')
        self.__task.cancel()

    # --- the loop

    async def _process_until_done(self, shutdown_when_idle: bool) -> None:
        while True:
            try:
                await self._process_events(shutdown_when_idle)
                return
            except asyncio.CancelledError:
                self.__logger.error('run task was canceled')
                self.__return_code = 1
                raise
            except Exception as error:
                words = f'{error}{place_of(error)}'
                message = f'Caught exception in launch (see debug for traceback): {words}'
                self.__logger.debug(traceback.format_exc())
                self.__logger.error(message)
                self.__return_code = 1
                self.__failure = '; '.join(filter(None, (self.__failure, words)))
                self._shutdown(reason=message, due_to_sigint=False)

    async def _process_events(self, shutdown_when_idle: bool) -> None:
        queue = self.__context._event_queue
        next_event: asyncio.Task | None = None
        try:
            while True:
                pending = self._pending_futures()
                if queue.empty() and not pending and next_event is None:
                    if self.__shutting_down:
                        return
                    if shutdown_when_idle:
                        self._shutdown(reason='idle', due_to_sigint=False)
                        continue
                if next_event is None:
                    if not queue.empty():
                        self._process_one_event(queue.get_nowait())
                        await asyncio.sleep(0)
                        continue
                    next_event = asyncio.ensure_future(queue.get())
                await asyncio.wait({next_event, *pending}, return_when=asyncio.FIRST_COMPLETED)
                if next_event.done():
                    event, next_event = next_event.result(), None
                    self._process_one_event(event)
                else:
                    next_event.cancel()
                    await asyncio.wait({next_event})
                    if next_event.cancelled():
                        next_event = None
        finally:
            if next_event is not None:
                next_event.cancel()

    def _pending_futures(self) -> set[asyncio.Future]:
        """Return the futures to wait for; raise the exception of one that is done."""
        done = [future for _, future in self._entity_future_pairs if future.done()]
        done += [future for future in self.__context._completion_futures if future.done()]
        self._entity_future_pairs = [
            pair for pair in self._entity_future_pairs if not pair[1].done()]
        self.__context._completion_futures = [
            future for future in self.__context._completion_futures if not future.done()]
        for future in done:
            if not future.cancelled() and future.exception() is not None:
                raise future.exception()
        return ({future for _, future in self._entity_future_pairs}
                | set(self.__context._completion_futures))

    def _process_one_event(self, event: Event) -> None:
        """Let the handlers that match act, in their order; visit what they return."""
        self.__logger.debug(f"processing event: '{event}'")
        self.__context._push_locals()
        try:
            for handler in tuple(self.__context._event_handlers):
                if not handler.matches(event):
                    continue
                self.__logger.debug(f"processing event: '{event}' ✓ '{handler}'")
                entities = handler.handle(event, self.__context)
                if entities is None:
                    continue
                for entity in normalize_to_list_of_entities(entities):
                    self._entity_future_pairs.extend(
                        visit_all_entities_and_collect_futures(entity, self.__context))
        finally:
            self.__context._pop_locals()

    # --- shutdown

    def _on_shutdown(self, event: Shutdown, context: LaunchContext) -> None:
        self.__shutting_down = True
        context._set_is_shutdown(True)

    def _shutdown(self, *, reason: str, due_to_sigint: bool) -> None:
        if self.__shutting_down:
            return
        self.__shutting_down = True
        self.emit_event(Shutdown(reason=reason, due_to_sigint=due_to_sigint))

    def shutdown(self, force_sync: bool = False) -> Coroutine | None:
        """End the launch, from any thread; without effect if it does not run.

        In the thread of the launch this returns a coroutine, for create_task() or await.
        """
        loop = self.__loop
        if loop is None:
            return None
        if force_sync and threading.current_thread() is threading.main_thread():
            self._on_shutdown_call()
            return None
        if threading.get_ident() == self.__thread:
            return self._shutdown_in_loop()
        loop.call_soon_threadsafe(self._on_shutdown_call)
        return None

    def _on_shutdown_call(self) -> None:
        self._shutdown(reason='LaunchService.shutdown() called', due_to_sigint=False)

    async def _shutdown_in_loop(self) -> None:
        self._on_shutdown_call()
