"""Notes that Ctrl-C was pressed: the exception that Python raises then can be lost.

Python raises KeyboardInterrupt wherever the main thread is.  In the middle of a message that rclpy
makes of what it has taken, rclpy replaces it: RuntimeError, "Unable to convert call argument ...".
"""

from collections.abc import Iterator
from contextlib import contextmanager
import signal
import threading
from types import FrameType


class Interrupts:
    """Whether SIGINT has come."""

    def __init__(self) -> None:
        """Begin without one."""
        self.any = False

    def note(self, number: int, frame: FrameType | None) -> None:
        """Be the handler of a signal by its number: note it, then do what Python does."""
        self.any = True
        signal.default_int_handler(number, frame)


@contextmanager
def noted_interrupts() -> Iterator[Interrupts]:
    """Give the Interrupts of a time; where SIGINT has another handler than Python's, none is noted.

    To be entered before rclpy is initialised, whose handler calls the one before it.
    """
    interrupts = Interrupts()
    if (threading.current_thread() is not threading.main_thread()
            or signal.getsignal(signal.SIGINT) is not signal.default_int_handler):
        yield interrupts
        return
    signal.signal(signal.SIGINT, interrupts.note)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
