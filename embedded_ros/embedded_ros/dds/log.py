"""What the DDS library says: each kind of line at once, but no more often than every few seconds.

Left to itself it writes a line for every sample that is no message, as fast as they come.
"""
import atexit
from contextlib import contextmanager, nullcontext, suppress
import ctypes as ct
import fcntl
from functools import cache
import os
import re
import signal
import threading
import time

PERIOD = 5.0            # [s] between two lines of a kind
ROOM = 2 ** 20          # [byte] of lines that wait; beyond it some are not counted
MOST_KINDS = 200        # that are known at a time
_NUMBERS = re.compile(r'\b[0-9a-f:.]*\d[0-9a-f:.]*\b')      # also GUIDs


class ThrottledLines:
    """Passes lines on to `write`; lines that differ by numbers alone are of a kind."""

    def __init__(self, write, clock=time.monotonic):
        self._write, self._clock = write, clock
        self._kinds = {}        # kind -> [when it was passed on, how many came since, the last]
        self._lock = threading.Lock()

    def add(self, line):
        """Pass a line on, or count it."""
        now, kind = self._clock(), _NUMBERS.sub('', line)
        with self._lock:
            known = self._kinds.get(kind)
            if known and now - known[0] < PERIOD:
                known[1:] = known[1] + 1, line
                return
            full = not known and len(self._kinds) >= MOST_KINDS
            before = list(self._kinds.values()) if full else []
            if full:
                self._kinds.clear()
            self._kinds[kind] = [now, 0, line]
        self._report(before)
        self._write(line + _more(known[1] if known else 0))

    def finish(self):
        """Report how many lines were not passed on."""
        with self._lock:
            kinds, self._kinds = self._kinds, {}
        self._report(kinds.values())

    def _report(self, kinds):
        for _, count, line in kinds:
            if count:
                self._write(line + _more(count - 1))


def _more(count):
    return f' (at least {count} more like it)' if count else ''


class ThrottledOutput:
    """What the library writes to, in place of standard error; a thread reads it."""

    def __init__(self):
        self._lines = ThrottledLines(lambda line: os.write(2, line.encode() + b'\n'))
        self._source, target = os.pipe()
        os.set_blocking(target, False)      # no thread of the library waits for Python
        with suppress(OSError):
            fcntl.fcntl(target, fcntl.F_SETPIPE_SZ, ROOM)
        self._stream = _fdopen(target, b'w')
        _setlinebuf(self._stream)
        self._reader = threading.Thread(target=self._read, daemon=True)
        # Signals are for the threads of the program, which may block them and count on that.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            self._reader.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        atexit.register(self._finish, target)

    def _read(self):
        with open(self._source, errors='replace') as source:
            for line in source:
                with suppress(OSError):
                    self._lines.add(line.rstrip())

    def _finish(self, target):
        """Write what is left; what the library writes later is dropped."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, target, inheritable=False)
        os.close(nowhere)
        self._reader.join(1.0)
        with suppress(OSError):
            self._lines.finish()

    @contextmanager
    def in_place_of_stderr(self):
        """Let domains that are set up now write here: they keep what C calls stderr then."""
        stderr = ct.c_void_p.in_dll(_libc, 'stderr')
        before, stderr.value = stderr.value, self._stream
        try:
            yield
        finally:
            stderr.value = before


_libc = ct.CDLL(None)
_fdopen = _libc.fdopen
_fdopen.restype, _fdopen.argtypes = ct.c_void_p, (ct.c_int, ct.c_char_p)
_setlinebuf = _libc.setlinebuf
_setlinebuf.restype, _setlinebuf.argtypes = None, (ct.c_void_p,)


@cache
def _output():
    return ThrottledOutput()


def throttled():
    """Context manager: domains that are set up in it say things less often.

    The library offers no function for it, and elsewhere than on Linux C's stderr has another name.
    """
    return _output().in_place_of_stderr() if hasattr(_libc, 'stderr') else nullcontext()
