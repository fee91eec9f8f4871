"""What tests of nodes leave behind."""

import gc
import weakref

import pytest
from rclpy.node import Node

from mb_ros.node_bench import complaint_of


class Refusing(Node):
    """Begins, then finds that it cannot use what the user gave."""

    begun = []

    def __init__(self):
        super().__init__('refusing')
        self.begun.append(weakref.ref(self))
        self.create_timer(1.0, self.tick)
        raise ValueError('mechanism: five_par: unknown')

    def tick(self):
        """Hold the node by one of its own callbacks, as nodes do."""


@pytest.fixture
def no_luck():
    """Nothing is collected unless it is asked for."""
    gc.disable()
    yield
    gc.enable()


def test_a_node_that_refuses_its_parameters_is_gone(capfd, no_luck, monkeypatch):
    """Else it stays in the ROS graph, where tests that come later see it."""
    monkeypatch.setattr(Refusing, 'begun', [])
    assert 'five_par' in complaint_of(Refusing, [], capfd)
    [node] = Refusing.begun
    assert node() is None
