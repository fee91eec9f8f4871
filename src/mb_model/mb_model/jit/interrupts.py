"""Ctrl-C while a kernel is compiled.

LLVM hands over machine code by a callback.  An interrupt that meets it is ignored there by ctypes,
with a traceback, and what was to be handed over is missing: numba ends in a RuntimeError.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
import sys
import threading
from typing import Any

from numba.core.dispatcher import Dispatcher


@contextmanager
def interrupts_of_callbacks() -> Iterator[None]:
    """Raise KeyboardInterrupt where an interrupt met a callback from C meanwhile."""
    met, hook = [], sys.unraisablehook

    def remember(unraisable: Any) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            met.append(True)
        else:
            hook(unraisable)

    sys.unraisablehook = remember
    try:
        yield
    except RuntimeError:
        if not met:
            raise
    finally:
        sys.unraisablehook = hook
    if met:
        raise KeyboardInterrupt


def interrupt_compiling() -> None:
    """Let Ctrl-C end the compiling of any function from now on.

    It interrupts the main thread alone.
    """
    compiling = Dispatcher.compile

    @wraps(compiling)
    def compile_interrupted(self: Dispatcher, sig: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():
            return compiling(self, sig)
        with interrupts_of_callbacks():
            return compiling(self, sig)

    Dispatcher.compile = compile_interrupted
