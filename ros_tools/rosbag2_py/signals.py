"""An end on SIGINT and SIGTERM that leaves time to tidy up."""
import signal
import threading


class StopOnSignal:
    """Context manager: `is_set()` after SIGINT or SIGTERM, or `set()` by another thread."""

    def __init__(self, afterwards=None):
        """Set up; afterwards: handler of both signals at the end, default: as before."""
        self._event = threading.Event()
        self._afterwards = afterwards
        self._is_asked = False
        self._previous = {}

    def __enter__(self):
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._previous[number] = signal.signal(number, self._on_signal)
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})    # who starts it may block it
        return self

    def __exit__(self, *_):
        for number, handler in self._previous.items():
            signal.signal(number, handler if self._afterwards is None else self._afterwards)

    def _on_signal(self, *_):
        """Ask for the end; a signal in the middle of that must not wait for the same lock."""
        if not self._is_asked:
            self._is_asked = True
            self.set()

    def set(self):
        """Ask for the end."""
        self._event.set()

    def wait(self, timeout):
        """Wait for the end [s], at most so long; return whether it was asked for."""
        return self._event.wait(timeout)

    def is_set(self):
        """Whether the end was asked for."""
        return self._event.is_set()
