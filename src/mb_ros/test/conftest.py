"""A node in a DDS domain of the test process's own."""

import pytest
import rclpy
from rclpy.node import Node

from mb_ros.own_domain import own_domain


@pytest.fixture
def make_node(monkeypatch):
    """make_node(*ROS arguments) -> Node named `probe`."""
    monkeypatch.setenv('ROS_DOMAIN_ID', str(own_domain()))
    nodes = []

    def make(*arguments):
        rclpy.init(args=['--ros-args', *arguments] if arguments else [])
        nodes.append(Node('probe'))
        return nodes[-1]

    yield make
    for node in nodes:
        node.destroy_node()
    rclpy.try_shutdown()
