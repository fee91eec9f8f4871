"""Publishers that offer less than a subscription asks for: what is said, and what comes."""

from copy import copy
from functools import partial
import time

from geometry_msgs.msg import PointStamped
import pytest
from rclpy.duration import Duration
from rclpy.node import Node
from rclpy.qos import (
    DurabilityPolicy,
    QoSProfile,
    ReliabilityPolicy,
    qos_profile_sensor_data,
)

from mb_ros.diagnostics import OK, Health
from mb_ros.guards import GuardedNode
from mb_ros.managed_node import ManagedNode
from mb_ros.node_bench import on_bench, spin_until, together_on_bench
from mb_ros.offered_qos import too_little
from mb_ros.qos import COMMAND_QOS, OVERRIDABLE, STREAM_QOS
from mb_ros.stamps import stamp

VOLATILE = QoSProfile(depth=10)
BEST_EFFORT = QoSProfile(depth=10, reliability=ReliabilityPolicy.BEST_EFFORT)


class Managed(ManagedNode):
    """Takes points as they are offered."""

    def __init__(self, **options):
        self.count = 0
        super().__init__('managed', **options)

    def configure(self):
        self.subscribe(PointStamped, 'points', self.note)

    def note(self, _):
        self.count += 1

    def reset(self):
        return ''

    def health(self):
        return Health(OK, 'counting')


class Plain(GuardedNode):
    """Takes points only as it asks for them, or as its parameters do."""

    further = {}        # options of the subscription

    def __init__(self, **options):
        self.count = 0
        super().__init__('plain', **options)
        self.create_subscription(PointStamped, 'points', self.note, STREAM_QOS, **self.further)

    note = Managed.note


class Fixed(Plain):
    """The same, without parameters for that."""

    further = {'qos_overriding_options': None}


class Twice(Plain):
    """Takes points as they come, too."""

    def __init__(self, **options):
        super().__init__(**options)
        self.glance = self.create_subscription(PointStamped, 'points', self.note, BEST_EFFORT)
        self.command = self.create_subscription(PointStamped, 'points', self.note, COMMAND_QOS)


class Driver(Node):
    """Publishes points by one QoS or several."""

    def __init__(self, *offered):
        super().__init__('driver')
        self.points = [self.create_publisher(PointStamped, 'points', qos) for qos in offered]
        self._now = 0

    def publish(self):
        self._now += 1_000_000
        for publisher in self.points:
            message = PointStamped()
            message.header.stamp = stamp(self._now)
            publisher.publish(message)
        return True


@pytest.fixture
def said(capfd):
    """Return a function that returns which lines of a log are on an incompatible QoS."""
    lines = []

    def read():
        lines.extend(line.partition(']: ')[2] for line in capfd.readouterr().err.splitlines()
                     if 'driver offers' in line or 'from driver' in line
                     or 'New publisher' in line)
        return lines
    return read


def asked_of(node):
    """Return the QoS of the subscriptions of points of a node."""
    return [one.qos_profile for one in node.subscriptions if one.topic_name == '/points']


def spin_for_a_while(bench):
    """Let what is under way arrive."""
    end = time.monotonic() + 0.3
    spin_until(bench, lambda: time.monotonic() > end)


def spin_for(bench, node, count):
    """Let the driver publish until a node has so many points."""
    spin_until(bench, lambda: bench.publish() and node.count >= count)


@pytest.mark.parametrize('first', ['driver', 'node'])
@pytest.mark.parametrize(('offered', 'words'), [
    (STREAM_QOS, ''),
    (VOLATILE, '/points: driver offers volatile, which is taken as it is offered'),
    (qos_profile_sensor_data,
     '/points: driver offers best_effort and volatile, which is taken as it is offered')])
def test_a_managed_node_takes_what_any_driver_publishes(said, offered, words, first):
    """With one line at most, and that no warning; nothing is left of it after clean-up."""
    with together_on_bench([], partial(Node, 'bench')) as (_, bench):
        made = {}
        for name in (first, *{'driver', 'node'} - {first}):
            made[name] = {'driver': partial(Driver, offered), 'node': Managed}[name]()
            bench.executor_of_all.add_node(made[name])
            if name == 'driver':
                spin_until(bench, partial(bench.get_publishers_info_by_topic, 'points'))
        node, driver = made['node'], made['driver']
        try:
            spin_until(bench, lambda: driver.publish() and node.count >= 5)
            assert set(said()) <= {words}
            assert len(asked_of(node)) == 1
            node.trigger_deactivate()
            node.trigger_cleanup()
            assert asked_of(node) == []
        finally:
            for one in made.values():
                bench.executor_of_all.remove_node(one)
                one.destroy_node()


def test_each_message_of_every_publisher_is_taken_once(said):
    """Also what was published before, of the one that offers it."""
    with on_bench(Managed, lambda: Driver(STREAM_QOS, VOLATILE, qos_profile_sensor_data), []
                  ) as (node, bench):
        spin_until(bench, lambda: len(asked_of(node)) > 1)
        spin_for_a_while(bench)
        for publisher in bench.points:
            node.count = 0
            bench.points = [publisher]
            for _ in range(50):
                bench.publish()
            spin_until(bench, lambda: node.count >= 50)
            spin_for_a_while(bench)
            assert node.count == 50
        assert DurabilityPolicy.TRANSIENT_LOCAL in {one.durability for one in asked_of(node)}
        assert all(line.endswith('which is taken as it is offered') for line in said())


def test_a_driver_may_be_replaced_by_one_that_offers_less(said):
    with on_bench(Managed, lambda: Driver(STREAM_QOS), []) as (node, bench):
        spin_for(bench, node, 5)
        for offered in (VOLATILE, qos_profile_sensor_data, STREAM_QOS):
            former = bench.points
            bench.points = [bench.create_publisher(PointStamped, 'points', offered)]
            for publisher in former:
                bench.destroy_publisher(publisher)
            spin_for(bench, node, node.count + 5)


def test_what_is_set_is_not_said(said):
    with on_bench(Managed, lambda: Driver(VOLATILE), [
            'qos_overrides./points.subscription.durability:=volatile']) as (node, bench):
        spin_for(bench, node, 5)
        assert said() == []


@pytest.mark.parametrize(('kind', 'mend'), [
    (Fixed, 'driver has to offer durability transient_local'),
    (Plain, 'set qos_overrides./points.subscription.durability: volatile')])
def test_any_node_says_what_mends_it(said, kind, mend):
    with on_bench(kind, lambda: Driver(VOLATILE), []) as (node, bench):
        spin_until(bench, lambda: bench.publish() and said())
        assert said() == [f'/points: no message from driver comes, it offers durability volatile '
                          f'(transient_local is asked for): {mend}']
        assert node.count == 0


@pytest.mark.parametrize(('offered', 'policies'), [
    (VOLATILE, ['durability:=volatile']),
    (BEST_EFFORT, ['durability:=volatile', 'reliability:=best_effort'])])
def test_what_is_said_mends_it(said, offered, policies):
    """Of any node, as a monitor: the driver of another maker need not change."""
    parameters = [f'qos_overrides./points.subscription.{policy}' for policy in policies]
    with on_bench(Plain, lambda: Driver(offered), parameters) as (node, bench):
        spin_for(bench, node, 5)
        assert said() == []


def test_a_second_subscription_of_a_topic_asks_for_what_it_needs(said):
    """The parameters of the first one are not its."""
    with on_bench(Twice, Driver, []) as (node, _):
        assert node.glance.qos_profile.durability == DurabilityPolicy.VOLATILE
        assert node.glance.qos_profile.reliability == ReliabilityPolicy.BEST_EFFORT
        assert node.command.qos_profile.durability == DurabilityPolicy.VOLATILE
        assert node.command.qos_profile.depth == COMMAND_QOS.depth


def test_an_override_counts_when_a_node_is_configured_again(said):
    with on_bench(Managed, lambda: Driver(VOLATILE), [
            'qos_overrides./points.subscription.durability:=volatile']) as (node, bench):
        spin_for(bench, node, 2)
        for change in (node.trigger_deactivate, node.trigger_cleanup, node.trigger_configure,
                       node.trigger_activate):
            change()
        spin_for(bench, node, node.count + 2)
        assert said() == []


def test_a_deadline_is_compared_too():
    asked = copy(VOLATILE)
    asked.deadline = Duration(seconds=0.5)
    offered = copy(VOLATILE)
    offered.deadline = Duration(seconds=2.0)
    assert too_little(offered, asked) == {'deadline': ('2 s', '0.5 s')}
    assert too_little(asked, offered) == too_little(asked, VOLATILE) == {}
    assert 'deadline' in too_little(VOLATILE, asked)


def test_overrides_of_one_subscription_are_not_those_of_the_next(said):
    """Although all are given the same QoS."""
    class Two(GuardedNode):
        def __init__(self, **options):
            super().__init__('two', **options)
            self.made = [self.create_subscription(
                PointStamped, topic, print, COMMAND_QOS, qos_overriding_options=OVERRIDABLE)
                for topic in ('first', 'second')]

    with on_bench(Two, Driver, ['qos_overrides./first.subscription.reliability:=best_effort']
                  ) as (node, _):
        assert [one.qos_profile.reliability for one in node.made] == [
            ReliabilityPolicy.BEST_EFFORT, ReliabilityPolicy.RELIABLE]
