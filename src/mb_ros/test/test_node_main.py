"""How node processes end."""

import signal
import subprocess
import sys

import pytest

PROGRAM = """
from mb_ros.node_main import run
from mb_ros.diagnostics import OK, Diagnostics, Health
import os, rclpy, signal, time
from rclpy.node import Node
from std_msgs.msg import Empty

class Probe(Node):
    def __init__(self):
        super().__init__('probe')
        if {broken}:
            raise ValueError('mechanism: five_par: unknown')
        self._diagnostics = Diagnostics(self, lambda: Health(OK, 'well'))
        self.publisher = self.create_publisher(Empty, 'beat', 1)
        self.create_timer(0.01, self.tick)

    def tick(self):
        print('ticking', flush=True)
        if {ends}:
            raise SystemExit(0)
        if {terminated}:
            os.kill(os.getpid(), signal.SIGTERM)
            while rclpy.ok():
                time.sleep(0.01)
            self.publisher.publish(Empty())
        if {fails}:
            raise RuntimeError('a fault of the node')

run([Probe])
"""


def start(**happens):
    happens = dict.fromkeys(('broken', 'ends', 'terminated', 'fails'), False) | happens
    return subprocess.Popen(
        [sys.executable, '-c', PROGRAM.format(**happens)], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_what_the_user_got_wrong_ends_it_in_one_line():
    process = start(broken=True)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 2
    assert 'mechanism: five_par: unknown' in out + err
    assert 'Traceback' not in out + err


def test_ctrl_c_ends_it_in_silence():
    process = start()
    assert process.stdout.readline() == 'ticking\n'
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 0
    assert err == ''


def test_a_callback_may_end_it():
    process = start(ends=True)
    process.communicate(timeout=30)
    assert process.returncode == 0


def test_sigterm_in_a_callback_that_publishes_ends_it_in_silence():
    process = start(terminated=True)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 0
    assert 'Traceback' not in err


def test_a_fault_of_a_callback_is_reported():
    process = start(fails=True)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 1
    assert 'RuntimeError: a fault of the node' in err


DISTURBED = """
import os, signal
from rclpy.executors import Executor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions, get_current_signal_handlers_options
from mb_ros.node_main import run

class Disturbed(Node):
    def __init__(self):
        super().__init__('disturbed')
        self.create_timer(0.01, lambda: os.kill(os.getpid(), signal.SIGINT))

    def destroy_node(self):
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGTERM)
        super().destroy_node()
        print('destroyed')

shutdown = Executor.shutdown

def watched(self, *arguments):
    print('acts on signals:', get_current_signal_handlers_options() != SignalHandlerOptions.NO)
    return shutdown(self, *arguments)

Executor.shutdown = watched
before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
run([Disturbed, Disturbed])
print('as before:', before == (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)))
"""


def test_no_signal_disturbs_the_end():
    """Not even by rclpy's thread, which would read guard conditions that are destroyed."""
    done = subprocess.run(
        [sys.executable, '-c', DISTURBED], check=False, timeout=60, text=True,
        capture_output=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split('\n')[:-1] == [
        'acts on signals: False', 'destroyed', 'destroyed', 'as before: True']


MANAGED = """
import os, signal, time
from mb_ros.managed_node import ManagedNode
from mb_ros.node_main import run

class Managed(ManagedNode):
    def __init__(self):
        super().__init__('managed')
        self.create_timer(0.2, self.end)

    def configure(self):
        pass

    def end(self):
        if {code!r} == 'SIGINT':
            os.kill(os.getpid(), signal.SIGINT)
        else:
            raise SystemExit({code!r})

most = float('inf')
for _ in range(3):
    try:
        run([Managed, Managed])
    except SystemExit as end:
        assert end.code == {code!r}
    patience = time.monotonic() + 5.0    # the system lists a thread that was joined a moment longer
    while (threads := len(os.listdir('/proc/self/task'))) > most and time.monotonic() < patience:
        time.sleep(0.01)
    most = min(most, threads)
    print(threads, flush=True)
"""


@pytest.mark.skipif(sys.platform != 'linux', reason='looks at the threads of a process')
@pytest.mark.parametrize('code', ['SIGINT', 0, 3])
def test_nothing_of_the_middleware_runs_once_nodes_have_ended(code):
    """It would while the libraries below it end: some processes crashed then."""
    process = subprocess.run(
        [sys.executable, '-c', MANAGED.format(code=code)], text=True, capture_output=True,
        timeout=60)
    first, *others = map(int, process.stdout.split())
    assert (process.returncode, len(others)) == (0, 2), process.stderr
    assert max(others) <= first, process.stderr


STUCK = """
import ctypes
import os
import signal
import rclpy
from rclpy.node import Node
from mb_ros import node_main

class Stuck(Node):
    def __init__(self):
        super().__init__('stuck')
        self.create_timer(0.1, self.end)

    def end(self):
        {ending}

    def destroy_node(self):
        print('waits', flush=True)
        while True:
            ctypes.PyDLL(None).pause()      # holds the interpreter, whatever the signal

node_main.run([Stuck], longest_end=1.0)
"""


@pytest.mark.skipif(sys.platform != 'linux', reason='by a timer of Linux')
@pytest.mark.parametrize(('ending', 'code'), [
    ('os.kill(os.getpid(), signal.SIGINT)', 0),
    ('rclpy.ok = lambda: False; raise RuntimeError("publisher is invalid")', 0),
    ('raise SystemExit(3)', 3),
    ('raise RuntimeError("of its own")', 1)])
def test_a_middleware_that_does_not_let_go_holds_no_process(ending, code):
    """Its exit code is as if it did; stderr has where it was."""
    process = subprocess.run(
        [sys.executable, '-c', STUCK.format(ending=ending)], text=True, capture_output=True,
        timeout=60)
    assert (process.returncode, process.stdout) == (code, 'waits\n'), process.stderr
    assert 'in destroy_node' in process.stderr
