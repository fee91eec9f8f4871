"""A DDS domain of its own for each test process, nodes that are cleaned up, spinning."""
import atexit
import importlib
import os
from pathlib import Path
import random
import socket
import subprocess
import sys
import time

import pytest

sys.path.insert(0, str(Path(__file__).parent))      # what several test files import

# pytest takes this folder's parent for the package `ros_tools`, which lies a level deeper.
if getattr(sys.modules.get('ros_tools'), '__file__', None) is None:
    sys.modules.pop('ros_tools', None)
    importlib.import_module('ros_tools')


def _claim_domain():
    """A domain id whose discovery port is free; held by a socket until the process ends."""
    for domain in random.sample(range(100, 200), 100):
        lock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            lock.bind(('127.0.0.1', 7400 + 250 * domain))
        except OSError:
            lock.close()
            continue
        atexit.register(lock.close)
        return domain
    raise RuntimeError('no free ROS_DOMAIN_ID')


os.environ.setdefault('ROS_DOMAIN_ID', str(_claim_domain()))


@pytest.fixture
def fresh_domain(monkeypatch):
    """A domain in which this process has never been, whatever earlier tests left."""
    monkeypatch.setenv('ROS_DOMAIN_ID', str(_claim_domain()))


@pytest.fixture
def ros():
    import rclpy
    rclpy.init(args=[])
    yield rclpy
    rclpy.try_shutdown()


@pytest.fixture
def make_node(ros):
    """make_node(name, **keywords) -> Node, destroyed after the test."""
    nodes = []

    def make(name, **keywords):
        nodes.append(ros.create_node(name, **keywords))
        return nodes[-1]

    yield make
    for node in nodes:
        node.destroy_node()


@pytest.fixture
def spin_until():
    """spin_until(predicate, *nodes, timeout=20): fail where it does not come true."""
    from rclpy.executors import SingleThreadedExecutor

    def spin(predicate, *nodes, timeout=20.0):
        end = time.monotonic() + timeout
        with SingleThreadedExecutor() as executor:
            for node in nodes:
                executor.add_node(node)
            while not predicate():
                assert time.monotonic() < end, 'it did not come true'
                executor.spin_once(timeout_sec=0.02)

    return spin


@pytest.fixture
def run(tmp_path):
    """run(*arguments, **environment) -> Popen of a Python program, ended after the test."""
    started = []

    def start(*arguments, **environment):
        started.append(subprocess.Popen(
            [sys.executable, *arguments], text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **environment}))
        return started[-1]

    yield start
    for process in started:
        process.terminate()  # nodes leave the graph then
        try:
            process.wait(10.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
