"""An end on SIGINT and SIGTERM that leaves time to tidy up."""
import signal
import threading


class StopOnSignal:
    """Context manager: `is_set()` after SIGINT or SIGTERM, or `set()` by another thread."""

    def __init__(self):
        self._event = threading.Event()
        self._previous = {}

    def __enter__(self):
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._previous[number] = signal.signal(number, lambda *_: self.set())
        return self

    def __exit__(self, *_):
        for number, handler in self._previous.items():
            signal.signal(number, handler)

    def set(self):
        """Ask for the end."""
        self._event.set()

    def wait(self, timeout):
        """Wait for the end [s], at most so long."""
        self._event.wait(timeout)

    def is_set(self):
        """Whether the end was asked for."""
        return self._event.is_set()
