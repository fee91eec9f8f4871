"""What a managed node does with messages, by its states."""

from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Point, PointStamped
import pytest
import rclpy
from rclpy.context import Context
from rclpy.lifecycle import TransitionCallbackReturn
from rclpy.node import Node
from std_srvs.srv import Trigger

from mb_ros.diagnostics import OK, Health
from mb_ros.managed_node import ManagedNode
from mb_ros.node_bench import on_bench, spin_until
from mb_ros.qos import SERVICE_QOS, STREAM_QOS
from mb_ros.stamps import stamp


class Echo(ManagedNode):
    """Publishes what it gets."""

    cleaned = 0

    def __init__(self, **options):
        super().__init__('echo', **options)

    def configure(self):
        self.create_timer(1.0, lambda: None)
        self.publisher = self.create_lifecycle_publisher(PointStamped, '~/out', STREAM_QOS)
        self.subscribe(PointStamped, 'in', self.publisher.publish)

    def cleanup(self):
        self.cleaned += 1

    def reset(self):
        return 'waiting for points'

    def health(self):
        return Health(OK, 'echoing')


class Faulty(Echo):
    """Has an error in its code."""

    def configure(self):
        super().configure()
        raise RuntimeError('an error of ours')


class Bench(Node):
    def __init__(self):
        super().__init__('bench')
        self.received, self.health = [], {}
        self.publisher = self.create_publisher(PointStamped, 'in', STREAM_QOS)
        self.create_subscription(PointStamped, 'echo/out', self.received.append, STREAM_QOS)
        self.create_subscription(DiagnosticArray, '/diagnostics', self.on_diagnostics, 10)

    def on_diagnostics(self, message):
        self.health = {item.key: item.value for item in message.status[0].values}
        self.health['message'] = message.status[0].message

    def say(self, *numbers):
        for number in numbers:
            message = PointStamped()
            message.header.stamp = stamp(1_000_000_000 + 10_000_000 * number)
            message.point.x = float(number)
            self.publisher.publish(message)


@pytest.fixture
def echo():
    with on_bench(Echo, Bench, []) as (node, bench):
        yield node, bench


def test_nothing_goes_in_or_out_while_it_is_paused(echo):
    node, bench = echo
    bench.say(0, 1)
    spin_until(bench, lambda: len(bench.received) == 2)
    node.trigger_deactivate()
    bench.say(2, 3, 4)
    node.publisher.publish(PointStamped())
    spin_until(bench, lambda: bench.health.get('in ignored while paused') == '3')
    assert bench.health['message'] == 'paused'
    node.trigger_activate()
    bench.say(5, 6)
    spin_until(bench, lambda: len(bench.received) == 4)
    assert [message.point.x for message in bench.received] == [0.0, 1.0, 5.0, 6.0]
    spin_until(bench, lambda: bench.health['message'] == 'echoing')
    assert float(bench.health['in age [s]']) < 20.0


def test_it_cleans_up_once_and_is_new_when_it_is_configured_again(echo):
    node, bench = echo
    bench.say(0)
    spin_until(bench, lambda: len(bench.received) == 1)
    first = node.publisher
    node.trigger_deactivate()
    node.trigger_cleanup()
    assert node.cleaned == 1
    spin_until(bench, lambda: bench.health.get('message') == 'not configured')
    node.trigger_configure()
    node.trigger_activate()
    assert node.publisher is not first
    spin_until(bench, lambda: len(bench.received) == 2)      # the stream is kept for late readers
    node.destroy_node()
    assert node.cleaned == 2


def test_messages_of_another_type_are_complaint(echo, capfd):
    bench = echo[1]
    spin_until(bench, lambda: bench.health.get('message') == 'echoing')
    # In a process of its own for DDS: Fast DDS refuses a second type within one.
    rclpy.init(context=(apart := Context()))
    other = Node('other', context=apart)
    other.create_publisher(Point, 'in', STREAM_QOS)
    complaint = ('/in: other publishes geometry_msgs/msg/Point, '
                 'expected geometry_msgs/msg/PointStamped')
    spin_until(bench, lambda: bench.health['message'] == complaint)
    other.destroy_node()
    apart.shutdown()
    spin_until(bench, lambda: bench.health['message'] == 'echoing')
    assert capfd.readouterr().err.count(complaint) == 1


def test_many_requests_wait_while_a_node_does_other_work(echo):
    node, bench = echo
    client = bench.create_client(Trigger, 'echo/reset', qos_profile=SERVICE_QOS)
    spin_until(bench, client.service_is_ready)
    answers = [client.call_async(Trigger.Request()) for _ in range(100)]
    node.trigger_deactivate()
    spin_until(bench, lambda: all(answer.done() for answer in answers))
    assert {answer.result().message for answer in answers} == {'waiting for points'}


def test_an_error_of_ours_is_complaint_and_leaves_nothing_behind(capfd):
    with on_bench(Faulty, Bench, ['autostart:=false']) as (node, _):
        before = len(list(node.timers)), len(list(node.publishers))
        assert node.trigger_configure() == TransitionCallbackReturn.ERROR
        assert (len(list(node.timers)), len(list(node.publishers))) == before
        assert node.cleaned == 1
        assert node.trigger_configure() == TransitionCallbackReturn.ERROR      # unconfigured again
        assert "raise RuntimeError('an error of ours')" in capfd.readouterr().err


def test_an_error_of_ours_ends_a_node_that_starts_by_itself():
    with (pytest.raises(RuntimeError, match='an error of ours'),
          on_bench(Faulty, Bench, [])):
        pass


def test_a_wrong_autostart_is_complaint_in_words():
    with (pytest.raises(ValueError, match=r'^autostart: must be true or false'),
          on_bench(Echo, Bench, ['autostart:=perhaps'])):
        pass
