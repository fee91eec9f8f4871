"""A launch file of this package as a process, which ends with all below it."""

from contextlib import contextmanager
import os
import signal
import subprocess

CALM = 60.0         # wall time that a launched run has to end [s]


@contextmanager
def launched(launch_file, arguments, output, environment=None):
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
