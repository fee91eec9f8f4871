"""The moment from which on tests may run."""
import threading

from launch import Action


class ReadyToTest(Action):
    """Lets the test runner begin the tests."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self._lock = threading.Lock()
        self._callbacks = []
        self._ready = False

    def _add_callback(self, callback):
        """Call a function when this action is executed, at once if it was already."""
        with self._lock:
            if not self._ready:
                self._callbacks.append(callback)
                return
        callback()

    def execute(self, context):
        with self._lock:
            self._ready = True
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()
