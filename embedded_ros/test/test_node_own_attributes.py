"""A subclass of Node that replaces what belongs to rclpy's Node is refused where it does so."""
from pathlib import Path

import pytest
from rclpy.executors import SingleThreadedExecutor
from rclpy.impl.reserved_names import LIFECYCLE_NODE, NODE
from rclpy.lifecycle import LifecycleNode
from rclpy.node import Node

SHARED = Path(__file__).parents[3] / 'shared' / 'ros2_contract' / 'node_attributes.txt'


@pytest.mark.skipif(not SHARED.exists(), reason='the list as measured is not here')
def test_names_are_those_measured_on_jazzy():
    lines = SHARED.read_text().splitlines()
    assert {line for line in lines if line and not line.startswith('#')} == LIFECYCLE_NODE


@pytest.fixture
def bench(ros):
    """Return a function that makes a node of a class; all are destroyed after the test."""
    made = []

    def make(cls):
        made.append(cls('probe'))
        return made[-1]

    yield make
    for node in made:
        node.destroy_node()


@pytest.mark.parametrize('name', ['_services', '_publishers', '_clock', '_Node__handle', 'handle'])
def test_assigning_to_an_object_is_refused_by_name(bench, name):
    class Probe(Node):
        pass

    node = bench(Probe)
    before = getattr(node, name)
    with pytest.raises(AttributeError, match=rf"Probe\.{name}: '{name}' belongs to rclpy"):
        setattr(node, name, {})
    with pytest.raises(AttributeError, match=name):
        delattr(node, name)
    assert getattr(node, name) is before


def test_assigning_in_init_is_refused():
    class Probe(Node):
        def __init__(self):
            self._timers = []

    with pytest.raises(AttributeError, match=r'Probe\._timers'):
        Probe()


def test_data_and_private_methods_in_a_class_body_are_refused():
    with pytest.raises(AttributeError, match=r'Data\._services'):
        class Data(Node):
            _services = ()
    with pytest.raises(AttributeError, match=r'Private\._wake_executor'):
        class Private(Node):
            def _wake_executor(self):
                pass
    with pytest.raises(AttributeError, match=r'NoProperty\.services'):
        class NoProperty(Node):
            def services(self):
                pass
    with pytest.raises(AttributeError, match=r'Shadow\.get_name'):
        class Shadow(Node):
            get_name = 'name'


def test_a_mixin_is_refused_too():
    class Mixin:
        _clients = None

    with pytest.raises(AttributeError, match=r'Mixin\._clients'):
        class Mixed(Mixin, Node):
            pass


def test_public_methods_and_properties_may_be_overridden(bench):
    class Probe(LifecycleNode):
        ended = 0

        def on_configure(self, state):
            return super().on_configure(state)

        def destroy_node(self):
            self.ended += 1
            return super().destroy_node()

        def __setattr__(self, name, value):
            super().__setattr__(name, value)

        @property
        def services(self):
            return super().services

        @staticmethod
        def get_name():
            return 'probe'

    node = bench(Probe)
    node.trigger_configure()
    node.destroy_node()
    assert node.ended == 1


def test_a_test_may_patch_a_public_method_of_an_object(bench):
    node = bench(Node)
    node.get_name = lambda: 'patched'
    assert node.get_name() == 'patched'
    del node.get_name
    assert node.get_name() == 'probe'


def test_names_of_managed_nodes_are_free_in_plain_ones(bench):
    class Probe(Node):
        _callbacks = ()

    bench(Probe)._state_machine = 1
    with pytest.raises(AttributeError, match='_callbacks'):
        class Managed(LifecycleNode):
            _callbacks = ()
    assert '_callbacks' not in NODE


def test_the_executor_can_be_set(bench):
    node, executor = bench(Node), SingleThreadedExecutor()
    node.executor = executor
    assert executor.get_nodes() == [node]
    executor.shutdown()


def test_what_is_there_may_be_assigned_once_more(bench):
    class Probe(Node):
        def __init__(self, name):
            super().__init__(name)
            self._logger, self._clock = self.get_logger(), self.get_clock()

    node = bench(Probe)
    with pytest.raises(AttributeError, match=r'Probe\._logger'):
        node._logger = node.get_logger().get_child('other')
