"""What an rclpy object holds of the middleware, and how it is given back."""
from contextlib import suppress
import threading

from rclpy.exceptions import InvalidHandle

_DESTROYED = 'cannot use Destroyable because destruction was requested'


class Handle:
    """Owns one DDS object, or none; using it after its end raises InvalidHandle.

    Inside a `with` block, which gives None as pybind objects do, it stays usable; its
    end waits for the end of the block.  It also ends with the last reference to it.
    """

    def __init__(self, middleware=None, logger_name=''):
        self._middleware, self._logger_name = middleware, logger_name
        self._lock, self._uses, self._ending = threading.Lock(), 0, False
        self._at_end = []
        self.valid = True

    @property
    def middleware(self):
        """The object owned: a reader, writer, server or client of embedded_ros.dds."""
        if not self.valid:
            raise InvalidHandle(_DESTROYED)
        return self._middleware

    @property
    def condition(self):
        """The DDS condition that is triggered when there is something to take."""
        return getattr(self._middleware, 'reader', self._middleware).condition

    @property
    def pointer(self):
        return id(self._middleware)

    def get_logger_name(self):
        """The name of the logger of the node that it belongs to."""
        return self._logger_name

    def __enter__(self):
        with self._lock:
            if self._ending:
                raise InvalidHandle(_DESTROYED)
            self._uses += 1

    def __exit__(self, exception_type, exception, traceback):
        with self._lock:
            self._uses -= 1
        self._end_if_unused()

    def destroy_when_not_in_use(self):
        """Close the DDS object; a second time nothing happens."""
        self._ending = True
        self._end_if_unused()

    def __del__(self):
        if getattr(self, 'valid', False):
            with suppress(Exception):  # the process may be ending
                self.destroy_when_not_in_use()

    def _end_if_unused(self):
        with self._lock:
            if not self._ending or self._uses or not self.valid:
                return
            self.valid = False
        self._close()

    def at_end(self, callback):
        """Call back when the DDS object has been closed."""
        self._at_end.append(callback)

    def _close(self):
        if self._middleware is not None:
            self._middleware.close()
        for callback in self._at_end:
            callback()
