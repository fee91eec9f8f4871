"""Events of QoS: matched, deadline, liveliness, incompatible offers."""
import importlib
import sys

import pytest
from rclpy import event_handler
from rclpy.duration import Duration
from rclpy.event_handler import PublisherEventCallbacks, SubscriptionEventCallbacks
from rclpy.qos import (
    QoSDurabilityPolicy,
    QoSLivelinessPolicy,
    QoSPolicyKind,
    QoSProfile,
    QoSReliabilityPolicy,
)
from std_msgs.msg import Int32


def test_matched(make_node, spin_until):
    node, publisher_events, subscription_events = make_node('node'), [], []
    publisher = node.create_publisher(Int32, 'data', 1, event_callbacks=PublisherEventCallbacks(
        matched=publisher_events.append))
    subscription = node.create_subscription(
        Int32, 'data', print, 1, event_callbacks=SubscriptionEventCallbacks(
            matched=subscription_events.append))
    spin_until(lambda: publisher_events and subscription_events, node)
    assert publisher_events[0].current_count == subscription_events[0].current_count == 1
    assert publisher.get_subscription_count() == subscription.get_publisher_count() == 1
    node.destroy_subscription(subscription)
    spin_until(lambda: len(publisher_events) == 2, node)
    assert (publisher_events[1].current_count, publisher_events[1].current_count_change) == (0, -1)
    assert publisher_events[1].total_count == 1


def test_deadline(make_node, spin_until):
    node, offered, requested = make_node('node'), [], []
    profile = QoSProfile(depth=1, deadline=Duration(seconds=0.05))
    publisher = node.create_publisher(Int32, 'data', profile, event_callbacks=(
        PublisherEventCallbacks(deadline=offered.append)))
    node.create_subscription(Int32, 'data', print, profile, event_callbacks=(
        SubscriptionEventCallbacks(deadline=requested.append)))
    publisher.publish(Int32())
    spin_until(lambda: offered and requested, node)
    assert offered[0].total_count >= 1
    assert requested[0].total_count >= 1


def test_liveliness(make_node, spin_until):
    node, lost, changed = make_node('node'), [], []
    profile = QoSProfile(
        depth=1, liveliness=QoSLivelinessPolicy.MANUAL_BY_TOPIC,
        liveliness_lease_duration=Duration(seconds=0.1))
    publisher = node.create_publisher(Int32, 'data', profile, event_callbacks=(
        PublisherEventCallbacks(liveliness=lost.append)))
    node.create_subscription(Int32, 'data', print, profile, event_callbacks=(
        SubscriptionEventCallbacks(liveliness=changed.append)))

    def alive():
        publisher.assert_liveliness()   # again and again: this process may rest for longer
        return changed and changed[-1].alive_count == 1

    spin_until(alive, node)
    spin_until(lambda: lost and changed[-1].not_alive_count == 1, node)


def test_incompatible_qos(make_node, spin_until):
    node, offered, requested = make_node('node'), [], []
    node.create_publisher(
        Int32, 'data', QoSProfile(depth=1, reliability=QoSReliabilityPolicy.BEST_EFFORT),
        event_callbacks=PublisherEventCallbacks(incompatible_qos=offered.append))
    node.create_subscription(Int32, 'data', print, 1, event_callbacks=SubscriptionEventCallbacks(
        incompatible_qos=requested.append))
    spin_until(lambda: offered and requested, node)
    assert offered[0].last_policy_kind == QoSPolicyKind.RELIABILITY
    assert requested[0].last_policy_kind == QoSPolicyKind.RELIABILITY


def test_incompatible_qos_warns_by_default(make_node, spin_until, capfd):
    node, output = make_node('node'), []
    node.create_publisher(Int32, 'data', 1)
    node.create_subscription(Int32, 'data', print, QoSProfile(
        depth=1, durability=QoSDurabilityPolicy.TRANSIENT_LOCAL))

    def warnings():
        output.append(capfd.readouterr().err)
        return ''.join(output).count('Last incompatible policy: DURABILITY')

    spin_until(lambda: warnings() == 2, node)
    assert 'offering incompatible QoS' in ''.join(output)
    assert ''.join(output).count('[node]: New') == 2


def test_handles_name_the_logger_of_their_node(make_node):
    node = make_node('named', namespace='/of')
    for entity in (node.create_publisher(Int32, 'topic', 1),
                   node.create_subscription(Int32, 'topic', print, 1)):
        with entity.handle:
            assert entity.handle.get_logger_name() == 'of.named'
        for handler in entity.event_handlers:
            with handler as nothing:
                assert nothing is None


def test_the_old_module_has_all_names():
    sys.modules.pop('rclpy.qos_event', None)
    with pytest.warns(DeprecationWarning, match='event_handler'):
        old = importlib.import_module('rclpy.qos_event')
    assert all(hasattr(old, name) for name in event_handler.__all__)
