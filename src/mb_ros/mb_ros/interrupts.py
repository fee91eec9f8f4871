"""Notes that Ctrl-C was pressed: the exception that Python raises then can be lost.

Python raises KeyboardInterrupt wherever the main thread is.  In the middle of a message that rclpy
makes of what it has taken, rclpy replaces it: RuntimeError, "Unable to convert call argument ...".
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
import signal
import threading
from types import FrameType

from mb_ros.program import EndAtOnce, interrupt_once


class Interrupts:
    """Whether SIGINT has come."""

    def __init__(self, handler: Callable[[int, FrameType | None], None]) -> None:
        """Begin without one; handler: what is called then."""
        self.any, self._handler = False, handler

    def note(self, number: int, frame: FrameType | None) -> None:
        """Be the handler of a signal by its number: note it, then call the one before."""
        self.any = True
        self._handler(number, frame)


@contextmanager
def noted_interrupts() -> Iterator[Interrupts]:
    """Give the Interrupts of a time; where SIGINT has another handler than Python's, none is noted.

    To be entered before rclpy is initialised, whose handler calls the one before it.
    """
    before = signal.getsignal(signal.SIGINT)
    ours = before is interrupt_once or isinstance(before, EndAtOnce)    # the process is a program
    interrupts = Interrupts(interrupt_once if ours else signal.default_int_handler)
    if (threading.current_thread() is not threading.main_thread()
            or not (ours or before is signal.default_int_handler)):
        yield interrupts
        return
    signal.signal(signal.SIGINT, interrupts.note)
    try:
        yield interrupts
    finally:
        if not (interrupts.any and ours):       # then the next ones are ignored
            signal.signal(signal.SIGINT, before)
