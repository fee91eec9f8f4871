"""Lines on what numba compiles in this process, so that nothing takes its time in silence.

Kernels are compiled once for a machine, by `make setup` or by the program that needs them
first.  Few programs need numba, which takes long to import; so this waits until its events are
imported.
"""

import atexit
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
import sys
import time
from types import ModuleType
from typing import Any

EVENTS = 'numba.core.event'
SHORTEST = 0.5          # a function that takes less has no line of its own [s]
USUAL = '5 to 30 s for most commands, up to a minute for a node'     # on a quiet machine
OVER = '\r\x1b[K'       # back to the start of a terminal's line, and clear it


def say_what_is_compiled() -> None:
    """Print lines to stderr from now on: what begins to be compiled, and how long that took."""
    if EVENTS not in sys.modules and not any(isinstance(one, _Import) for one in sys.meta_path):
        sys.meta_path.insert(0, _Import())


class _Import(MetaPathFinder):
    """Begins to listen when numba's events are imported."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """Return how to import the events of numba, and nothing else."""
        if name != EVENTS:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        loader = spec.loader if spec else None
        if loader is None:
            return None
        load = loader.exec_module

        def load_and_listen(events: ModuleType) -> None:
            load(events)
            lines = Lines()
            events.register('numba:compile', _listener(events.Listener, lines))
            atexit.register(lines.finish)
        loader.exec_module = load_and_listen        # type: ignore[method-assign, assignment]
        return spec


class Lines:
    """Prints a line for each function that takes long, with the functions compiled for it.

    On a terminal one line says how far it is instead.
    """

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        """Begin with nothing; now: returns the time [s]."""
        self._now, self._depth, self._count, self._begun = now, 0, 0, 0.0
        self._total, self._taken = 0, 0.0       # functions, and time for them [s]
        self._moves = sys.stderr.isatty()

    def begin(self, name: str) -> None:
        """Note that a function, by its name, begins to be compiled."""
        if self._depth == 0:
            self._count, self._begun = 0, self._now()
            if not self._total:
                self._print(f'compiling {name} and others, once for this machine; '
                            f'{USUAL}, `make setup` compiles all ahead')
        self._depth += 1
        self._count += 1
        self._total += 1
        if self._moves:
            taken = self._taken + self._now() - self._begun
            self._print(f'{self._total} functions, {taken:.0f} s', start=OVER, end='')

    def end(self, name: str) -> None:
        """Note that it is compiled."""
        self._depth -= 1
        if self._depth:
            return
        took = self._now() - self._begun
        self._taken += took
        if took >= SHORTEST and not self._moves:
            others = f' and {self._count - 1} that it calls' if self._count > 1 else ''
            self._print(f'compiled {name}{others} in {took:.1f} s')

    def finish(self) -> None:
        """Print the sum, if there is one."""
        if self._total:
            self._print(f'compiled {self._total} functions in {self._taken:.1f} s',
                        start=OVER if self._moves else '')

    @staticmethod
    def _print(line: str, start: str = '', end: str = '\n') -> None:
        print(start + line, file=getattr(sys.stderr, 'styled', sys.stderr), flush=True, end=end)


def _listener(base: type[Any], lines: Lines) -> Any:
    """Return a listener of numba's events, whose class is known only now."""
    class Listener(base):

        def on_start(self, event: Any) -> None:
            lines.begin(_name(event))

        def on_end(self, event: Any) -> None:
            lines.end(_name(event))
    return Listener()


def _name(event: Any) -> str:
    function = event.data['dispatcher'].py_func
    return f'{function.__module__}.{function.__qualname__}'
