"""The handles of nodes and entities behave as the pybind objects of ROS 2 do."""
import gc

import pytest
from rclpy.context import Context
from rclpy.exceptions import InvalidHandle
from rclpy.node import Node
from rclpy.serialization import serialize_message
from std_msgs.msg import Int32
from std_srvs.srv import Empty

KINDS = {
    'publisher': lambda node: node.create_publisher(Int32, 'topic', 10),
    'subscription': lambda node: node.create_subscription(Int32, 'topic', print, 10),
    'client': lambda node: node.create_client(Empty, 'service'),
    'service': lambda node: node.create_service(Empty, 'service', print),
    'timer': lambda node: node.create_timer(10.0, print),
    'guard_condition': lambda node: node.create_guard_condition(print)}


@pytest.fixture(params=[*KINDS, 'node'])
def made(request, make_node):
    """(An entity, a function that destroys it); each kind in turn, and a node."""
    node = make_node('owner')
    if request.param == 'node':
        return node, node.destroy_node
    entity = KINDS[request.param](node)
    return entity, lambda: getattr(node, f'destroy_{request.param}')(entity)


def test_a_with_block_gives_none(made):
    with made[0].handle as nothing:
        assert nothing is None


def test_a_handle_is_not_to_be_used_after_its_end(made):
    entity, destroy = made
    destroy()
    with pytest.raises(InvalidHandle), entity.handle:
        pass


def test_what_is_in_use_ends_after_its_block(made):
    entity, destroy = made
    handle = entity.handle
    with handle:
        with handle:
            destroy()
        assert handle.valid
        with pytest.raises(InvalidHandle), handle:  # no new use of what is to end
            pass
    assert not handle.valid


def test_destroying_twice_is_harmless(made):
    entity, destroy = made
    destroy()
    destroy()
    entity.handle.destroy_when_not_in_use()


def test_handles_of_clock_and_context(make_node):
    node = make_node('owner')
    for owner in (node.get_clock(), node.context):
        with owner.handle as nothing:
            assert nothing is None


@pytest.mark.parametrize('raw', [False, True])
def test_a_message_can_be_taken_inside_the_block(make_node, spin_until, raw):
    node = make_node('owner')
    subscription = node.create_subscription(Int32, 'topic', print, 10)
    publisher = node.create_publisher(Int32, 'topic', 10)
    with subscription.handle:
        assert subscription.handle.take_message(Int32, raw) is None
    publisher.publish(Int32(data=3))
    taken = []

    def take():
        with subscription.handle:
            taken.append(subscription.handle.take_message(Int32, raw))
        return taken[-1]

    spin_until(take)
    message, info = taken[-1]
    assert message == (serialize_message(Int32(data=3)) if raw else Int32(data=3))
    assert info['source_timestamp'] <= info['received_timestamp']
    node.destroy_subscription(subscription)
    with pytest.raises(InvalidHandle):
        subscription.handle.take_message(Int32, raw)


def test_a_context_can_be_destroyed():
    context = Context()
    context.destroy()
    context.init(args=[])
    context.destroy()
    assert not context.ok()
    with pytest.raises(InvalidHandle), context.handle:
        pass


USES = {
    'publisher': (lambda one: one.publish(Int32()), lambda one: one.get_subscription_count(),
                  lambda one: one.topic_name, lambda one: one.assert_liveliness()),
    'subscription': (lambda one: one.topic_name, lambda one: one.get_publisher_count()),
    'client': (lambda one: one.call_async(Empty.Request()), lambda one: one.service_is_ready(),
               lambda one: one.service_name),
    'service': (lambda one: one.send_response(Empty.Response(), None),
                lambda one: one.service_name),
    'timer': (lambda one: one.is_ready(), lambda one: one.cancel(), lambda one: one.reset(),
              lambda one: one.time_until_next_call(), lambda one: one.timer_period_ns),
    'guard_condition': (lambda one: one.trigger(),)}


@pytest.mark.parametrize(('kind', 'use'), [(kind, use) for kind, uses in USES.items()
                                           for use in uses])
def test_an_entity_is_not_to_be_used_after_its_end(make_node, kind, use):
    node = make_node('owner')
    entity = KINDS[kind](node)
    getattr(node, f'destroy_{kind}')(entity)
    with pytest.raises(InvalidHandle):
        use(entity)


@pytest.mark.parametrize('use', [
    lambda node: node.get_name(), lambda node: node.get_namespace(),
    lambda node: node.get_fully_qualified_name(), lambda node: node.get_node_names(),
    lambda node: node.count_publishers('topic'), lambda node: node.resolve_topic_name('topic'),
    *(make for kind, make in KINDS.items())])
def test_a_node_is_not_to_be_used_after_its_end(make_node, use):
    node = make_node('owner')
    node.destroy_node()
    with pytest.raises(InvalidHandle):
        use(node)


def test_a_node_that_is_dropped_leaves_the_graph(make_node, spin_until):
    looking = make_node('looking')
    node = Node('dropped')
    node.create_subscription(Int32, 'topic', print, 10)
    assert looking.count_subscribers('topic') == 1
    del node
    gc.collect()
    spin_until(lambda: 'dropped' not in looking.get_node_names(), looking)
    assert looking.count_subscribers('topic') == 0
    looking.get_logger().info('still logs')
