"""A node waits until others are set up; for a recorder until it has found every topic."""

import os
import subprocess
import sys
import time

import pytest
import rclpy
from rclpy.node import Node
from rclpy.utilities import get_rmw_implementation_identifier
from std_msgs.msg import String

from mb_ros import startup_barrier
from mb_ros.startup_barrier import StartupBarrier, WaitingLog

LEASE = """<dds xmlns="http://www.eprosima.com"><profiles>
<participant profile_name="short" is_default_profile="true"><rtps><builtin><discovery_config>
<leaseDuration><sec>1</sec></leaseDuration>
<leaseAnnouncement><sec>0</sec><nanosec>200000000</nanosec></leaseAnnouncement>
</discovery_config></builtin></rtps></participant></profiles></dds>"""
OTHER = """
import rclpy
from std_msgs.msg import Empty
rclpy.init()
node = rclpy.create_node('other')
publisher = node.create_publisher(Empty, 'topic', 1)
rclpy.spin(node)
"""
LOOKS = """
import os, signal, sys, time
import rclpy
from mb_ros.startup_barrier import StartupBarrier, is_ready
rclpy.init()
node = rclpy.create_node('looks')
barrier, end = StartupBarrier(node, ['/other']), time.monotonic() + 60.0

def wait(condition, longest):
    stop = time.monotonic() + longest
    while not condition() and time.monotonic() < stop:
        time.sleep(0.05)
    return condition()

while wait(lambda: is_ready(node, '/other'), 4.0) and time.monotonic() < end:
    os.kill(int(sys.argv[1]), signal.SIGSTOP)
    wait(lambda: not is_ready(node, '/other'), 10.0)
    os.kill(int(sys.argv[1]), signal.SIGCONT)
    wait(lambda: node.count_publishers('topic'), 10.0)
print('known' if is_ready(node, '/other') else 'lost')
print('found' if wait(lambda: not barrier.absent(), 20.0) else barrier.absent())
"""
WAIT = 30.0     # wall time that the graph has to be known [s]


def eventually(looks, expected):
    """Wait until what is absent is what is expected."""
    end = time.monotonic() + WAIT
    while looks.absent() != expected:
        assert time.monotonic() < end, looks.absent()
        time.sleep(0.05)


@pytest.fixture
def make_node():
    """make_node(name) -> Node."""
    rclpy.init()
    nodes = []

    def make(name):
        nodes.append(Node(name, start_parameter_services=False))
        return nodes[-1]

    yield make
    for node in nodes:
        node.destroy_node()
    rclpy.shutdown()


def test_a_recorder_has_to_find_every_topic(make_node, monkeypatch):
    machine, driver, recorder = (make_node(name) for name in ('machine', 'driver',
                                                              'rosbag2_recorder'))
    machine.create_publisher(String, '~/state', 10)
    names = ['/driver', '/rosbag2_recorder']
    looks = StartupBarrier(machine, names)
    eventually(looks, names)        # no topics of their own
    driver.create_publisher(String, '/angle', 10)
    recorder.create_subscription(String, '/angle', print, 10)
    eventually(looks, ['/rosbag2_recorder to find /machine/state'])
    recorder.create_subscription(String, '/machine/state', print, 10)
    eventually(looks, [])
    machine.create_publisher(String, '~/more', 10)
    eventually(looks, ['/rosbag2_recorder to find /machine/more'])
    monkeypatch.setattr(startup_barrier, 'RECORDER_PATIENCE', 0.0)
    assert looks.absent() == []


@pytest.mark.skipif('fastrtps' not in get_rmw_implementation_identifier(),
                    reason='other middleware names nodes again')
def test_a_name_that_the_middleware_has_lost_is_found_by_a_second_look(tmp_path):
    """Another process stands still for longer than its lease, here a second, until that happens."""
    (tmp_path / 'lease.xml').write_text(LEASE)
    environment = {**os.environ,
                   'FASTRTPS_DEFAULT_PROFILES_FILE': str(tmp_path / 'lease.xml'),   # of Jazzy
                   'FASTDDS_DEFAULT_PROFILES_FILE': str(tmp_path / 'lease.xml')}
    with subprocess.Popen([sys.executable, '-c', OTHER], env=environment) as other:
        try:
            looks = subprocess.run([sys.executable, '-c', LOOKS, str(other.pid)], env=environment,
                                   text=True, capture_output=True, timeout=120)
        finally:
            other.kill()
    assert looks.stdout.split() == ['lost', 'found'], looks
    assert 'found /other by a second look' in looks.stderr


def test_who_looks_again_does_not_wait_meanwhile(make_node, monkeypatch):
    """A participant, then none, then another one, until there is nothing left to look for."""
    now = [100.0]
    monkeypatch.setattr(startup_barrier.time, 'monotonic', lambda: now[0])
    machine = make_node('machine')
    looks, counts = StartupBarrier(machine, ['/absent']), []
    for _ in range(30):
        begin = time.perf_counter()
        assert looks.absent() == ['/absent']
        assert time.perf_counter() - begin < 1.0
        counts.append(looks._second_look._onlooker is not None)
        now[0] += 1.0
    assert counts == 6 * [False] + 16 * [True] + 6 * [False] + 2 * [True]
    rclpy.shutdown()
    assert looks._second_look._onlooker is None
    rclpy.init()


class Log:
    """A node that keeps only its warnings."""

    def __init__(self):
        self.said = []

    def get_logger(self):
        return self

    def warning(self, words):
        self.said.append(words)


def test_who_waits_says_for_what_and_when_that_changes(monkeypatch):
    now, node = [100.0], Log()
    monkeypatch.setattr(startup_barrier.time, 'monotonic', lambda: now[0])
    waits = WaitingLog(node)

    def said(at, absent):
        node.said.clear()
        now[0] = 100.0 + at
        waits.update(absent)
        return node.said

    assert said(1.9, ['/a', '/b']) == []                # others may still be starting
    assert said(2.0, ['/a', '/b']) == ['waiting for /a, /b']
    assert said(2.1, ['/a', '/b']) == []
    assert said(2.9, ['/b']) == []                      # not every change floods the log
    assert said(3.0, ['/b']) == ['waiting for /b']
    assert said(7.9, ['/b']) == []
    assert said(8.0, ['/b']) == ['waiting for /b']
