"""What a managed node does with topics whose stamps no clock shows."""

import time

from geometry_msgs.msg import PointStamped
import pytest
from test_managed_node import Bench, Echo

from mb_ros.checked_stamps import NANOSECONDS, WORD
from mb_ros.node_bench import on_bench, spin_until
from mb_ros.stamps import nanoseconds


def wrapped_stamps(count=12):
    """Return (true stamp [ns], message whose driver takes nanoseconds modulo 2^32)."""
    found = []
    for k in range(count):
        true = time.time_ns() // WORD * WORD + 2_000_000_000 + k * 1_000_000
        message = PointStamped()
        message.header.stamp.sec, message.header.stamp.nanosec = true // NANOSECONDS, true % WORD
        found.append((true, message))
    return found


def exchange(bench, messages):
    """Publish messages one after the other until diagnostics count them."""
    spin_until(bench, lambda: bench.publisher.get_subscription_count())
    for message in messages:
        bench.publisher.publish(message)
        bench.executor_of_all.spin_once(timeout_sec=0.05)
    spin_until(bench, lambda: any('stamps' in key for key in bench.health))


@pytest.mark.parametrize(('policy', 'done'), [
    ('refuse', 'left out'), ('repair', 'repaired'), ('arrival', 'replaced by the arrival')])
def test_stamps_are_treated_as_the_parameter_says(policy, done):
    sent = wrapped_stamps()
    before = time.time_ns()
    with on_bench(Echo, Bench, [f'stamps:={policy}']) as (_, bench):
        exchange(bench, [message for _, message in sent])
        spin_until(bench, lambda: int(bench.health.get(f'in stamps {done}', 0)) >= 8)
        spin_until(bench, lambda: policy == 'refuse' or len(bench.received) >= 8)
        stamps = [nanoseconds(message.header.stamp) for message in bench.received]
        assert all(message.header.stamp.nanosec < NANOSECONDS for message in bench.received)
        said = bench.health['message']
    if policy == 'refuse':
        assert not stamps
        assert 'in: its stamps are malformed: nanosec begins anew at 2^32' in said
        assert 'stamps: repair computes them' in said
    elif policy == 'repair':
        assert stamps
        assert set(stamps) <= {true for true, _ in sent}
    else:
        assert all(before <= stamp <= time.time_ns() for stamp in stamps)


def test_another_policy_is_a_complaint_in_words():
    with (pytest.raises(ValueError, match="stamps: 'mend' must be one of refuse, repair"),
          on_bench(Echo, Bench, ['stamps:=mend'])):
        pass
