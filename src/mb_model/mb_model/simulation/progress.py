"""What takes long says so on stderr: by a bar on a terminal, by lines in a file or pipe."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
import sys
from threading import Event, Thread
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

_LOOKS = 200        # times that a bar moves
FIRST = 2.0         # what takes no longer has no line [s]
PERIOD = 10.0       # between two lines [s]


class ProgressLines:
    """Lines on how far work of known steps is: after FIRST seconds, then one every PERIOD."""

    def __init__(self, count: int, label: str, now: Callable[[], float] = time.monotonic) -> None:
        """Begin; count: steps of the work; label: what it is; now: returns the time [s]."""
        self._count, self._label, self._now = count, label, now
        self._begun = now()
        self._next = self._begun + FIRST

    def reach(self, done: int, detail: str = '') -> None:
        """Print a line if one is due; done: steps so far; detail: what else it says."""
        now = self._now()
        if now < self._next or done >= self._count:
            return
        self._next = now + PERIOD
        taken = now - self._begun
        left = taken * (self._count - done) / done if done else 0.0
        _say(f'{self._label}: {done} of {self._count} in {taken:.0f} s'
             f'{f", at most about {left:.0f} s left" if done else ""}'
             f'{f"; {detail}" if detail else ""}')


def with_progress(count: int, label: str, shown: bool = True) -> Iterator[int]:
    """Yield 0 ... count - 1 behind a bar on stderr, or ProgressLines if that is no terminal."""
    if not shown:
        yield from range(count)
    elif sys.stderr.isatty():
        yield from _behind_bar(count, label)
    else:
        lines = ProgressLines(count, label)
        for k in range(count):
            yield k
            lines.reach(k + 1)


@contextmanager
def working(label: str) -> Iterator[None]:
    """Say on stderr that work of unknown length goes on; label: what it is.

    By a status on a terminal, else by lines: after FIRST seconds, then one every PERIOD.  They are
    of a thread: processes are not to fork meanwhile.
    """
    if sys.stderr.isatty():
        with moving_console().status(label):
            yield
        return
    ended, begun = Event(), time.monotonic()

    def repeat() -> None:
        wait = FIRST
        while not ended.wait(wait):
            _say(f'{label}: {time.monotonic() - begun:.0f} s so far')
            wait = PERIOD

    thread = Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def moving_console() -> 'Console':
    """Return rich's console of stderr that may move the cursor, also where texts are kept plain."""
    from rich.console import Console
    return Console(file=getattr(sys.stderr, 'styled', sys.stderr))


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _behind_bar(count: int, label: str) -> Iterator[int]:
    from rich.progress import (  # nodes need not wait for these imports
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    columns = (TextColumn('{task.description}'), BarColumn(), TaskProgressColumn(),
               TimeRemainingColumn())
    every = max(1, count // _LOOKS)
    with Progress(*columns, console=moving_console(), transient=True) as bar:
        task = bar.add_task(label, total=count)
        for k in range(count):
            yield k
            if k % every == 0:
                bar.update(task, completed=k + 1)
