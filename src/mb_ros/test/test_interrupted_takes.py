"""Ctrl-C in the middle of a message that rclpy makes: an end like any other."""

import subprocess
import sys

import pytest

# rclpy makes a message by calling its class: that is where the signal comes.
PROGRAM = """
import os, signal, rclpy
from rclpy.node import Node
from std_msgs.msg import Int32
from mb_ros import draining_executor, node_main

class Listener(Node):
    def __init__(self):
        super().__init__('listener')
        self.create_subscription(Int32, 'number', lambda message: None, 10)
        self.publisher, self.message = self.create_publisher(Int32, 'number', 10), Int32()
        self.create_timer(0.02, self.send)

    def send(self):
        Int32.__init__ = interrupted
        self.publisher.publish(self.message)
        self.publisher.publish(self.message)

make, made = Int32.__init__, []

def interrupted(self, **values):
    make(self, **values)
    made.append(self)
    if len(made) == {number}:
        {happens}

class Watched(draining_executor.DrainingExecutor):
    def spin(self):
        try:
            super().spin()
        except BaseException as error:
            print(type(error).__name__, str(error)[:22], flush=True)
            raise

node_main.DrainingExecutor = Watched
rclpy.ok = lambda **_: True         # the thread that ends the context is slow
node_main.run([Listener])
"""
INTERRUPT = 'os.kill(os.getpid(), signal.SIGINT)'


def run(happens, number):
    """Return (exit code, lines of stdout, stderr) of the node."""
    done = subprocess.run([sys.executable, '-c', PROGRAM.format(happens=happens, number=number)],
                          check=False, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout.splitlines(), done.stderr


@pytest.mark.parametrize('number', [1, 2])
def test_it_ends_in_silence(number):
    """The first message is taken by rclpy after its wake, the second one by our executor."""
    assert run(INTERRUPT, number) == (0, ['RuntimeError Unable to convert call'], '')


def test_a_message_that_cannot_be_made_without_ctrl_c_is_a_fault():
    code, _, err = run('raise ValueError', 1)
    assert code == 1
    assert 'RuntimeError: Unable to convert call' in err
