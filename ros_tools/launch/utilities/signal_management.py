"""Signals handled inside an asyncio loop."""
import asyncio
from collections.abc import Callable
import signal

Handler = Callable[[int], None]


class AsyncSafeSignalManager:
    """Calls functions in the loop when signals arrive; a context manager of the main thread.

    Managers may be nested: the innermost one that handles a signal gets it, and at the end of a
    manager the previous handlers are put back.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.__loop = loop
        self.__active = False
        self.__handlers: dict[int, Handler] = {}
        self.__previous: dict[int, object] = {}

    def __enter__(self) -> 'AsyncSafeSignalManager':
        self.__active = True
        for signum in self.__handlers:
            self._install(signum)
        return self

    def __exit__(self, exc_type, exc_value, traceback) -> None:
        self.__active = False
        for signum in list(self.__previous):
            self._restore(signum)

    def handle(self, signum: int | signal.Signals,
               handler: Handler | None) -> Handler | None:
        """Set the function to call for a signal (None: nothing); return the one set before."""
        signum = signal.Signals(signum)
        previous = self.__handlers.pop(signum, None)
        if handler is not None:
            self.__handlers[signum] = handler
            if self.__active:
                self._install(signum)
        elif self.__active:
            self._restore(signum)
        return previous

    def _install(self, signum) -> None:
        if signum not in self.__previous:
            self.__previous[signum] = signal.signal(signum, self._on_signal)

    def _restore(self, signum) -> None:
        if signum in self.__previous:
            previous = self.__previous.pop(signum)
            signal.signal(signum, signal.SIG_DFL if previous is None else previous)

    def _on_signal(self, signum, frame) -> None:
        # A blocked select() goes on after this returns (PEP 475), and is then woken by the byte
        # which call_soon_threadsafe() has written to the loop's own pipe.
        handler = self.__handlers.get(signal.Signals(signum))
        if handler is not None and not self.__loop.is_closed():
            self.__loop.call_soon_threadsafe(handler, signum)
