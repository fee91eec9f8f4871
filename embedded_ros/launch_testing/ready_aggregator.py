"""Several parties that must be ready."""
import threading


class ReadyAggregator:
    """Calls a function once when ready_fn() of the returned count has been called that often."""

    def __init__(self, callback, count):
        self._callback = callback
        self._count = count
        self._lock = threading.Lock()

    def ready_fn(self):
        """Count one more party as ready."""
        with self._lock:
            self._count -= 1
            ready = self._count == 0
        if ready:
            self._callback()
