"""SIGINT and SIGTERM end each kind of program with its exit code, and without a traceback.

In its start-up, in the middle, and while it ends; launches are in test_interrupt.py and
test_launch_ending.py, every verb of `ros2` in ros_tools.
"""

from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
import os
from pathlib import Path
import select
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.skipif(sys.platform != 'linux', reason='looks at what is in memory')
PATIENCE = 120.0        # of a machine that does other things [s]
PROGRAM = 'import sys; from mb_ros.program import {0}; sys.argv[0] = "{1}"; sys.exit({0}.{2}())'
ROS2 = 'import sys; from ros2cli.main import main; sys.argv[0] = "ros2"; sys.exit(main())'
ROOT = Path(__file__).resolve().parents[3]
MEASURING = """
import sys, time
from benchmarks import real_vehicle
from mb_ros.program import command
real_vehicle.measure = lambda **_: print('measuring', flush=True) or time.sleep(60.0)
sys.argv[1:] = ['real_vehicle']
sys.exit(command.benchmarks.command())
"""
TUNE = ('--sensors', 'crank_encoder', '--vary', 'gate', '--trials', '100000')
# Of a kind: words, a library and a line by which it is starting and running, and exit codes
KINDS = {
    'node': (['-c', PROGRAM.format('node', 'model_server', 'mb_model.nodes.model_server')],
             '_rclpy_pybind11', 'serving', {signal.SIGINT: 0, signal.SIGTERM: 0}),
    'command': (['-c', PROGRAM.format('command', 'tune', 'mb_estimators.commands.tune'), *TUNE],
                'libllvmlite', 'gate', {signal.SIGINT: 130, signal.SIGTERM: 143}),
    'verb': (['-c', ROS2, 'topic', 'pub', '-r', '1', '/waits', 'std_msgs/msg/String'],
             '_rclpy_pybind11', 'publishing #1', {signal.SIGINT: 2, signal.SIGTERM: 15}),
    'benchmark': (['-m', 'benchmarks', 'real_vehicle'],
                  '_multiarray_umath', 'measuring', {signal.SIGINT: 130, signal.SIGTERM: 143})}


@pytest.fixture(autouse=True)
def _interruptible():
    """In the background, as in CI, a shell has SIGINT ignored, also by what a process starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def await_library(process, name):
    """Wait until a process has loaded a library: it is in the middle of its imports then."""
    end = time.monotonic() + PATIENCE
    while name not in Path(f'/proc/{process.pid}/maps').read_text():
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.01)


def await_line(process, words):
    """Wait until a process has said something."""
    said, end = b'', time.monotonic() + PATIENCE
    while words.encode() not in said:
        assert select.select([process.stdout], [], [], end - time.monotonic())[0], said
        new = os.read(process.stdout.fileno(), 4096)
        assert new, said
        said += new


def ended(kind, number, phase, folder):
    """Return the (exit code, what it says from then on) of a program that gets a signal."""
    words, library, line, _ = KINDS[kind]
    if kind == 'benchmark' and phase != 'start':
        words = ['-c', MEASURING]
    process = subprocess.Popen(
        [sys.executable, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, cwd=ROOT if kind == 'benchmark' else folder)
    try:
        await_library(process, library)
        if phase != 'start':
            await_line(process, line)
        process.send_signal(number)
        if phase == 'end':
            time.sleep(0.05)
            process.send_signal(number)
        printed, _ = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.communicate()
    return process.returncode, printed.decode()


if find_spec('ros2cli') is None or find_spec('ros2cli.main') is None:
    del KINDS['verb']       # as ROS 2's own ends, is up to ROS 2


@pytest.mark.whole
@pytest.mark.parametrize('kind', KINDS)
def test_signals_end_it_quietly(kind, tmp_path):
    cases = [(number, phase) for number in (signal.SIGINT, signal.SIGTERM)
             for phase in ('start', 'middle', 'end')]
    with ThreadPoolExecutor(3) as threads:
        found = threads.map(lambda case: ended(kind, *case, tmp_path), cases)
        for (number, phase), (code, printed) in zip(cases, found, strict=True):
            assert 'Traceback' not in printed, (number, phase, printed)
            assert 'Exception ignored' not in printed, (number, phase, printed)
            # Before there is anything to clean up, or once more, the system may end it.
            allowed = {KINDS[kind][3][number]} | ({-number} if phase != 'middle' else set())
            assert code in allowed, (number, phase, printed)
    assert not list(tmp_path.iterdir())
