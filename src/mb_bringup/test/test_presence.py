"""Who waits for a recorder waits until it has found every topic, but not for ever."""

import time

import pytest
import rclpy
from rclpy.node import Node
from std_msgs.msg import String

from mb_bringup.nodes import presence
from mb_bringup.nodes.presence import Presence
from mb_ros.own_domain import own_domain

WAIT = 30.0     # wall time that the graph has to be known [s]


def eventually(looks, expected):
    """Wait until what is absent is what is expected."""
    end = time.monotonic() + WAIT
    while looks.absent() != expected:
        assert time.monotonic() < end, looks.absent()
        time.sleep(0.05)


@pytest.fixture
def make_node(monkeypatch):
    """make_node(name) -> Node."""
    monkeypatch.setenv('ROS_DOMAIN_ID', str(own_domain()))
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
    looks = Presence(machine, names)
    eventually(looks, names)        # no topics of their own
    driver.create_publisher(String, '/angle', 10)
    recorder.create_subscription(String, '/angle', print, 10)
    eventually(looks, ['/rosbag2_recorder to find /machine/state'])
    recorder.create_subscription(String, '/machine/state', print, 10)
    eventually(looks, [])
    machine.create_publisher(String, '~/more', 10)
    eventually(looks, ['/rosbag2_recorder to find /machine/more'])
    monkeypatch.setattr(presence, 'RECORDER_PATIENCE', 0.0)
    assert looks.absent() == []
