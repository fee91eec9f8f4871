"""A node that is kept: back after SIGKILL and tracebacks, not after what the user got wrong."""

import os
from pathlib import Path
import signal
import subprocess
import sys
import time

from diagnostic_msgs.msg import DiagnosticArray
import pytest
import rclpy

DRIVER = ['mb_sensors/encoder_driver', '--ros-args', '-p', 'sensors:=[crank_encoder]']


def keep(*words):
    return subprocess.Popen(
        ['ros2', 'run', 'mb_ros', 'keep', *words], text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))


def children(process):
    """Return the process ids of the children of a process."""
    return [int(child) for task in Path(f'/proc/{process}/task').iterdir()
            for child in (task / 'children').read_text().split()]


def spin_until(node, done):
    end = time.monotonic() + 60
    while not done():
        assert time.monotonic() < end, 'the node did not answer'
        rclpy.spin_once(node, timeout_sec=0.1)


@pytest.mark.whole
def test_it_comes_back_when_killed_and_ends_on_a_signal():
    """Also when the process that it is forked from is killed."""
    process = keep(*DRIVER)
    rclpy.init()
    node, received = rclpy.create_node('onlooker'), []
    try:
        node.create_subscription(DiagnosticArray, '/diagnostics', received.append, 10)
        lives = []
        for _ in range(3):
            received.clear()
            spin_until(node, lambda: received)
            keeper, = children(process.pid)
            template, = children(keeper)
            life, = children(template)
            lives.append(life)
            if len(lives) < 3:
                os.kill((life, template)[len(lives) - 1], signal.SIGKILL)
        os.killpg(process.pid, signal.SIGINT)       # as a terminal does
        output, _ = process.communicate(timeout=60)
    finally:
        node.destroy_node()
        rclpy.shutdown()
        process.kill()
    assert len(set(lives)) == 3
    assert output.count('EncoderDriver: ended by SIGKILL, begins again') == 2
    assert 'Traceback' not in output
    assert process.returncode == 0


def test_a_life_ends_with_its_keeper():
    process = keep(*DRIVER)
    try:
        end = time.monotonic() + 60
        while not (keeper := children(process.pid)) or not any(map(children, children(*keeper))):
            assert time.monotonic() < end, 'no life'
            time.sleep(0.1)
        os.kill(keeper[0], signal.SIGKILL)
        process.communicate(timeout=60)     # the pipe is closed: all that held it have ended
    finally:
        process.kill()


@pytest.mark.parametrize(('words', 'complaint'), [
    (['mb_sensors/encoder'], 'mb_sensors/encoder: unknown node'),
    ([*DRIVER[:-1], 'sensors:=[no_such]'], 'no_such: unknown sensor of four_bar')])
def test_what_the_user_got_wrong_is_reported_once(words, complaint):
    process = keep(*words)
    output, _ = process.communicate(timeout=60)
    assert output.count(complaint) == 1
    assert 'begins again' not in output
    assert process.returncode == 2


KEPT = """
import ctypes, os, signal, sys, time
from mb_ros import keep, watch_over
keep.SETTLED, watch_over.PATIENCE = 0.1, {patience}
def maker():
    {life}
def makers():
    {template}
    return [maker]
sys.exit(keep.keep_running(makers))
"""
NODE = """
    from rclpy.node import Node
    node = Node('kept')
    node.create_timer(0.01, lambda: None)
    print('running', flush=True)
    return node
"""
DEAF = """
    ctypes.CDLL(None).signal(signal.SIGINT, ctypes.c_void_p(1))
    ctypes.CDLL(None).signal(signal.SIGTERM, ctypes.c_void_p(1))
    print('running', flush=True)
    while True: time.sleep(1)
"""
# A life imports it at once.  In the template the import never ends, and holds Python's lock.
STUCK = """
import ctypes, os
if os.path.exists({path!r}):
    print('stuck', flush=True)
    while True: ctypes.PyDLL(None).pause()
open({path!r}, 'w').close()
"""


def script(life, template='pass', patience=60.0, **environment):
    """Start a program that keeps what a script makes."""
    return subprocess.Popen(
        [sys.executable, '-c',
         KEPT.format(life=life.strip(), template=template, patience=patience)],
        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, **environment}, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))


def read_until(process, line):
    while (said := process.stdout.readline().strip()) != line:
        assert said, 'it has ended'


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_either_signal_ends_nodes_in_order(number):
    process = script(NODE)
    read_until(process, 'running')
    process.send_signal(number)
    assert process.communicate(timeout=60) == ('', None)
    assert process.returncode == 0


def test_a_signal_during_the_imports_ends_it_in_silence():
    process = script(NODE, template="print('imports', flush=True); time.sleep(60)")
    read_until(process, 'imports')
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=30) == ('', None)
    assert process.returncode == 0


def test_a_signal_at_the_very_beginning_of_a_life_ends_it_in_silence():
    """It is pending when the life unblocks signals, and raises KeyboardInterrupt there."""
    process = script(NODE, template='os.register_at_fork(after_in_child=lambda: '
                     'os.kill(os.getpid(), signal.SIGINT))')
    assert process.communicate(timeout=30) == ('', None)
    assert process.returncode == 0


def test_a_life_that_ignores_signals_is_killed():
    process = script(DEAF, patience=0.5)
    read_until(process, 'running')
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)     # the pipe is closed: all have ended
    assert output == 'keep: did not end within 0.5 s, killed\n'
    assert process.returncode == 137


def test_nodes_get_signals_while_the_template_hangs_in_an_import(tmp_path):
    """As in a library that waits for threads which a fork does not have."""
    (tmp_path / 'mb_stuck.py').write_text(STUCK.format(path=str(tmp_path / 'first')))
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get('PYTHONPATH'))))
    process = script(
        NODE.replace('return node', 'node.destroy_node = lambda '
                     "end=node.destroy_node: (print('in order', flush=True), end())\n"
                     '    return node'),
        template="os.register_at_fork(after_in_child=lambda: __import__('mb_stuck'))",
        PYTHONPATH=path)
    # In either order: the template does not wait for the node, nor the node for the template.
    assert {process.stdout.readline().strip() for _ in range(2)} == {'running', 'stuck'}
    process.send_signal(signal.SIGTERM)
    output, _ = process.communicate(timeout=60)
    assert output == 'in order\n'
    assert process.returncode == 0      # the node's, though the template had to be killed


@pytest.mark.skipif(sys.platform != 'linux', reason='orphans are adopted on Linux alone')
def test_what_a_killed_life_had_begun_leaves_no_zombie():
    process = script("import subprocess; subprocess.Popen(['cat'], stdin=subprocess.PIPE)" + NODE)
    read_until(process, 'running')
    life, = children(*children(process.pid))
    begun, = children(life)             # ends with the life, whose pipe it reads
    os.kill(life, signal.SIGKILL)
    read_until(process, 'running')
    end = time.monotonic() + 60.0
    while os.path.exists(f'/proc/{begun}'):
        assert time.monotonic() < end
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 0


def test_a_template_that_crashes_at_once_is_given_up():
    process = script(NODE, template='os.kill(os.getpid(), signal.SIGSEGV)')
    output, _ = process.communicate(timeout=60)
    assert output == 'keep: killed 5 times in a row, given up\n'
    assert process.returncode == 128 + signal.SIGSEGV


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_comes_with_the_end_of_the_template_ends_it(number):
    """Whatever of both is noticed first, and whether or not there is another template already."""
    process = script(NODE, template="print('imports', flush=True); time.sleep(0.05)")
    read_until(process, 'running')
    template, = children(process.pid)
    os.kill(template, signal.SIGKILL)
    process.send_signal(number)
    output, _ = process.communicate(timeout=60)
    assert process.returncode in (0, 128 + signal.SIGKILL)
    assert 'Traceback' not in output
