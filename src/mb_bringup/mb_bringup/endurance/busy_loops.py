"""Processes that take all the processor time that they get, beside what is to be tried."""

from contextlib import contextmanager
import os
import subprocess
import sys

# It ends with the process that started it, however that ends.
_LOOP = """
import os, signal, sys
from mb_ros.program import end_with_parent
end_with_parent(int(sys.argv[1]), signal.SIGKILL)
while True:
    pass
"""


@contextmanager
def busy_loops(count):
    """Let as many loops run beside what is done within."""
    loops = [subprocess.Popen([sys.executable, '-c', _LOOP, str(os.getpid())])
             for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
