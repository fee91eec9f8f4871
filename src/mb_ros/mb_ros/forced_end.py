"""The end of a process that its middleware does not let go.

Once in some hundred runs a process does not come back from closing its nodes.  Signals do not help
then, as Python does not run: a timer of the C library ends the process.
"""

from contextlib import suppress
import ctypes
import faulthandler
from io import UnsupportedOperation
import sys

_CLOCK_MONOTONIC, _SIGEV_THREAD = 1, 2      # of Linux
_WARNING = 1.0      # before the end, by which stacks are printed [s]


class _Event(ctypes.Structure):
    """struct sigevent, with a function to be called in a thread of the C library."""

    _fields_ = (('value', ctypes.c_int), ('_', ctypes.c_int), ('signal', ctypes.c_int),
                ('notify', ctypes.c_int), ('function', ctypes.c_void_p),
                ('attributes', ctypes.c_void_p), ('_rest', ctypes.c_char * 32))


class _Setting(ctypes.Structure):
    """struct itimerspec."""

    _fields_ = (('interval', ctypes.c_long * 2), ('seconds', ctypes.c_long),
                ('nanoseconds', ctypes.c_long))


class ForcedEnd:
    """Ends this process by itself, where the system can, unless it is called off before."""

    def __init__(self, patience: float, code: int) -> None:
        """Wait for a wall time [s], print where all threads are, and end with an exit code."""
        self._timer: ctypes.c_void_p | None = None
        if sys.platform != 'linux':
            return
        self._library = ctypes.CDLL(None)
        event = _Event(value=code, notify=_SIGEV_THREAD, function=ctypes.cast(
            self._library._exit, ctypes.c_void_p))
        timer, setting = ctypes.c_void_p(), _Setting()
        setting.seconds, setting.nanoseconds = int(patience), int(patience % 1.0 * 1e9)
        if self._library.timer_create(
                _CLOCK_MONOTONIC, ctypes.byref(event), ctypes.byref(timer)):
            return
        self._library.timer_settime(timer, 0, ctypes.byref(setting), None)
        self._timer = timer
        with suppress(AttributeError, RuntimeError, UnsupportedOperation):    # stderr is no file
            faulthandler.dump_traceback_later(max(0.1, patience - _WARNING))

    def call_off(self) -> None:
        """Let the process go on."""
        if self._timer is not None:
            faulthandler.cancel_dump_traceback_later()
            self._library.timer_delete(self._timer)
            self._timer = None
