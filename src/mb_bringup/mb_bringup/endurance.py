"""How launched runs endure, beside busy loops and for a long time: processes and their memory."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
import os
import signal
import subprocess
import sys
from typing import IO, Any

import numpy as np

from mb_ros.process_tree import descendants, memory, node_names

# It ends with the process that started it, however that ends.
_LOOP = """
import os, signal, sys
from mb_ros.program import end_with_parent
end_with_parent(int(sys.argv[1]), signal.SIGKILL)
while True:
    pass
"""
CALM = 60.0         # wall time that a launched run has to end [s]
WARM = 30.0         # time after which memory is to stay as it is [s]


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """Let as many loops run beside what is done within."""
    loops = [subprocess.Popen([sys.executable, '-c', _LOOP, str(os.getpid())])
             for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


@contextmanager
def launched(launch_file: str, arguments: Mapping[str, Any], output: IO[Any] | int,
             environment: Mapping[str, str] | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Give the process of a launch file of this package; end everything in any case.

    arguments: dict; output: open file for what is printed; environment: dict of what differs.
    """
    process = subprocess.Popen(
        ['ros2', 'launch', 'mb_bringup', launch_file,
         *(f'{name}:={value}' for name, value in arguments.items())],
        stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
        env={**os.environ, **(environment or {})},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            try:
                process.wait(CALM)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


class MemoryWatch:
    """Sizes of the processes with nodes below one, by the names of these."""

    def __init__(self, process: int) -> None:
        """Set up for the process id of a launch."""
        self._launch = process
        # name and process id -> [(time [s], size [MB])]
        self._sizes: dict[tuple[str, int], list[tuple[float, float]]] = {}

    def look(self, now: float) -> None:
        """Note the sizes at a time [s]."""
        for process in descendants(self._launch):
            try:
                size, name = memory(process), node_names(process)
            except (OSError, IndexError):       # has just ended
                continue
            if name:
                self._sizes.setdefault((name, process), []).append((now, size))

    def growth(self) -> dict[str, tuple[float, float]]:
        """Return {name and process id: (size at the end [MB], growth since it was warm [MB])}.

        Warm is after WARM, or a third of what was seen of a process if that is less.
        """
        grown = {}
        for (name, process), pairs in self._sizes.items():
            t, size = np.array(pairs).T
            warm = t >= t[0] + min(WARM, (t[-1] - t[0]) / 3.0)
            grown[f'{name} ({process})'] = size[-1], size[warm].max() - size[warm][0]
        return grown
