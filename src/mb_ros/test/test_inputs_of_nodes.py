"""What waits for a managed node while it cannot take it, and what comes twice."""

from builtin_interfaces.msg import Time
from geometry_msgs.msg import PointStamped
from hypothesis import given, strategies as st
from rclpy.node import Node
from std_msgs.msg import Header

from mb_ros.delivered_once import DeliveredOnce
from mb_ros.diagnostics import OK, Health
from mb_ros.managed_node import ManagedNode
from mb_ros.node_bench import on_bench, spin_until
from mb_ros.qos import DEEPEST, STREAM_QOS
from mb_ros.stamps import stamp

STEP = 1_000_000        # 1 kHz [ns]


class Counter(ManagedNode):
    """Counts what comes."""

    def __init__(self, **options):
        self.count, self.stamps = 0, []
        super().__init__('counter', **options)

    def configure(self):
        self.subscribe(PointStamped, 'in', self.on_point)

    def on_point(self, message):
        self.count += 1
        self.stamps.append((message.header.stamp.sec, message.header.stamp.nanosec))

    def reset(self):
        return ''

    def health(self):
        return Health(OK, 'counting')


class Bench(Node):
    def __init__(self):
        super().__init__('bench')
        self.publisher = self.create_publisher(PointStamped, 'in', STREAM_QOS)


def test_nothing_is_lost_of_five_seconds_at_1_khz_without_a_chance_to_take():
    with on_bench(Counter, Bench, []) as (node, bench):
        spin_until(bench, bench.publisher.get_subscription_count)
        for k in range(DEEPEST):
            bench.publisher.publish(PointStamped(header=Header(stamp=stamp(k * STEP))))
        spin_until(bench, lambda: node.count == DEEPEST)


def test_a_subscription_goes_on_after_more_than_could_wait():
    """The oldest go; with a larger depth Fast DDS would never give another message."""
    with on_bench(Counter, Bench, []) as (node, bench):
        spin_until(bench, bench.publisher.get_subscription_count)
        count = 2 * DEEPEST
        for k in range(count):
            bench.publisher.publish(PointStamped(header=Header(stamp=stamp(k * STEP))))
        last = stamp((count - 1) * STEP)
        spin_until(bench, lambda: node.stamps[-1:] == [(last.sec, last.nanosec)])
        assert node.count == DEEPEST
        bench.publisher.publish(PointStamped(header=Header(stamp=stamp(count * STEP))))
        spin_until(bench, lambda: node.count == DEEPEST + 1)


def test_a_stamp_that_no_message_can_have_again_is_left_out():
    """What follows from it would have a stamp of more seconds than there are: a traceback."""
    with on_bench(Counter, Bench, []) as (node, bench):
        spin_until(bench, bench.publisher.get_subscription_count)
        for sec, nanosec in ((2 ** 31 - 1, 2 ** 32 - 1), (2 ** 31 - 1, 10 ** 9),
                             (2 ** 31 - 1, 10 ** 9 - 1), (-2 ** 31, 2 ** 32 - 1), (1, 2)):
            bench.publisher.publish(PointStamped(header=Header(stamp=Time(
                sec=sec, nanosec=nanosec))))
        spin_until(bench, lambda: node.stamps[-1:] == [(1, 2)])
        assert node.stamps == [(2 ** 31 - 1, 10 ** 9 - 1), (1, 2)]


@given(sent=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 3)), max_size=200))
def test_every_message_counts_once(sent):
    """Messages sent at one time are the same if their stamps are; 0: time not known."""
    once, found = DeliveredOnce(), []
    for when, stamp_ in sent:
        if once.is_new({'source_timestamp': when}, stamp_):
            found.append((when, stamp_))
    known = [one for one in found if one[0]]
    assert sorted(known) == sorted({one for one in sent if one[0]})
    assert len(found) - len(known) == sum(when == 0 for when, _ in sent)
