"""SIGINT and SIGTERM end the contexts of the process.

Python runs signal handlers between two bytecodes of the main thread, which may be waiting in the
DDS library meanwhile. So a thread listens to the descriptor that the interpreter writes to when
a signal arrives, and rouses whatever waits.
"""
from enum import IntEnum
import os
import signal
import threading

from rclpy.context import live_contexts
from rclpy.guard_condition import GuardCondition


class SignalHandlerOptions(IntEnum):
    """Which signals rclpy.init takes care of."""

    NO = 0
    SIGINT = 1
    SIGTERM = 2
    ALL = 3


_NUMBERS = {
    SignalHandlerOptions.SIGINT: signal.SIGINT, SignalHandlerOptions.SIGTERM: signal.SIGTERM}
_installed = {}  # signal number -> handler that was there before
_options = SignalHandlerOptions.NO
_watcher = None  # the thread that rouses waiters
_pipe = -1  # what the interpreter writes to when a signal arrives
_ended = []  # contexts that a signal ended and whose waiters are to be roused
_guards = []


def install_signal_handlers(options=SignalHandlerOptions.ALL):
    """Let the chosen signals shut down all contexts. Does nothing outside the main thread."""
    global _options
    if threading.current_thread() is not threading.main_thread():
        return
    _options = SignalHandlerOptions(options)
    _start_watcher()
    for option, number in _NUMBERS.items():
        if options & option and number not in _installed:
            _installed[number] = signal.signal(number, _on_signal)


def uninstall_signal_handlers():
    """Restore the handlers that were there before. Does nothing outside the main thread."""
    global _options
    if threading.current_thread() is not threading.main_thread():
        return
    _options = SignalHandlerOptions.NO
    for number in list(_installed):
        previous = _installed.pop(number)
        if signal.getsignal(number) is _on_signal:
            signal.signal(number, previous)


def get_current_signal_handlers_options():
    """The options of the last installation."""
    return _options


def _on_signal(number, frame):
    for context in live_contexts():
        context.invalidate()
        _ended.append(context)
    os.write(_pipe, b'\0')  # once more: only now the waiters find the context ended
    previous = _installed.get(number)
    if callable(previous):
        previous(number, frame)


def _start_watcher():
    global _watcher, _pipe
    if _watcher is not None:
        return
    reading, _pipe = os.pipe()
    os.set_blocking(_pipe, False)
    earlier = signal.set_wakeup_fd(_pipe, warn_on_full_buffer=False)
    _watcher = threading.Thread(
        target=_watch, args=(reading, earlier), name='rclpy_signals', daemon=True)
    _watcher.start()


def _watch(reading, earlier):
    """Rouse all waiters at each signal; pass it on to the earlier handler."""
    while data := os.read(reading, 64):
        if earlier >= 0:
            os.write(earlier, data)
        for context in live_contexts():
            context._wake()  # the handler runs in the main thread once that is awake
        for guard in _guards:
            guard.trigger()
        while _ended:
            _ended.pop()._wake()


class SignalHandlerGuardCondition(GuardCondition):
    """A guard condition that every signal triggers."""

    def __init__(self, context=None):
        super().__init__(callback=None, callback_group=None, context=context)
        _guards.append(self)

    def destroy(self):
        if self in _guards:
            _guards.remove(self)
        super().destroy()
