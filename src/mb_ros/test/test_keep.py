"""A node that is kept: back after SIGKILL and tracebacks, not after what the user got wrong."""

import os
from pathlib import Path
import signal
import subprocess
import time

from diagnostic_msgs.msg import DiagnosticArray
import pytest
import rclpy

from mb_ros.own_domain import own_domain

DOMAIN = own_domain(85)
DRIVER = ['mb_sensors/encoder_driver', '--ros-args', '-p', 'sensors:=[crank_encoder]']


def keep(*words):
    return subprocess.Popen(
        ['ros2', 'run', 'mb_ros', 'keep', *words], text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, env={**os.environ, 'ROS_DOMAIN_ID': str(DOMAIN)},
        start_new_session=True,
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


def test_it_comes_back_when_killed_and_ends_when_told():
    process = keep(*DRIVER)
    rclpy.init(domain_id=DOMAIN)
    node, heard = rclpy.create_node('onlooker'), []
    try:
        node.create_subscription(DiagnosticArray, '/diagnostics', heard.append, 10)
        lives = []
        for _ in range(3):
            heard.clear()
            spin_until(node, lambda: heard)
            keeper, = children(process.pid)
            life, = children(keeper)
            lives.append(life)
            if len(lives) < 3:
                os.kill(life, signal.SIGKILL)
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
        while not (keeper := children(process.pid)) or not children(keeper[0]):
            assert time.monotonic() < end, 'no life'
            time.sleep(0.1)
        os.kill(keeper[0], signal.SIGKILL)
        process.communicate(timeout=60)     # the pipe is closed: whoever held it has ended
    finally:
        process.kill()


@pytest.mark.parametrize(('words', 'complaint'), [
    (['mb_sensors/encoder'], 'mb_sensors/encoder: unknown node'),
    ([*DRIVER[:-1], 'sensors:=[no_such]'], 'no_such: unknown sensor of four_bar')])
def test_what_the_user_got_wrong_is_told_once(words, complaint):
    process = keep(*words)
    output, _ = process.communicate(timeout=60)
    assert output.count(complaint) == 1
    assert 'begins again' not in output
    assert process.returncode == 2
