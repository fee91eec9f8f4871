"""Single keys typed on the terminal, without waiting for the end of a line."""
import os
import re
import select
import sys
import threading

SPACE, RIGHT, UP, DOWN = ' ', '\x1b[C', '\x1b[A', '\x1b[B'
KEY = re.compile(r'\x1b\[[A-D]|.', re.DOTALL)
POLL_PERIOD = 0.1       # [s]


class Keyboard:
    """Context manager that calls `handlers[key]()` for keys, if standard input is a terminal."""

    def __init__(self, handlers):
        self._handlers = handlers
        self._stop = threading.Event()
        self._settings = None

    def __enter__(self):
        # Only in the foreground: a background process would be stopped by the terminal.
        if (self._handlers and sys.stdin and sys.stdin.isatty()
                and os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()):
            import termios
            import tty
            self._settings = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin.fileno())
            threading.Thread(target=self._read, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        if self._settings:
            import termios
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._settings)

    def _read(self):
        descriptor = sys.stdin.fileno()
        while not self._stop.is_set():
            if select.select([descriptor], [], [], POLL_PERIOD)[0]:
                for key in KEY.findall(os.read(descriptor, 64).decode(errors='replace')):
                    if key in self._handlers:
                        self._handlers[key]()
