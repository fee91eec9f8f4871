"""A node in a DDS domain of the test process's own."""

import pytest
import rclpy
from rclpy.node import Node


@pytest.fixture
def make_node():
    """make_node(*ROS arguments) -> Node named `probe`."""
    nodes = []

    def make(*arguments):
        rclpy.init(args=['--ros-args', *arguments] if arguments else [])
        nodes.append(Node('probe'))
        return nodes[-1]

    yield make
    for node in nodes:
        node.destroy_node()
    rclpy.try_shutdown()
