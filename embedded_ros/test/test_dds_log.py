"""What the DDS library says is throttled, and counted."""
from collections import Counter
from itertools import pairwise
import re
import time

from embedded_ros.dds import log
from hypothesis import given, strategies as st
import pytest

SENDER = """
import os, time
from embedded_ros.dds.participant import Participant, Writer
from rclpy.qos import QoSProfile
# ROS 2 knows types by their names: this one is another.
participant = Participant(int(os.environ['ROS_DOMAIN_ID']))
writer = Writer(participant, 'rt/text', ('std_msgs::msg::dds_::String_', [('data', 'uint32')],
                                         None), QoSProfile(depth=1000))
while not writer.matched_count():
    time.sleep(0.01)
for _ in range(500):
    writer.write(bytes([0, 1, 0, 0, 255, 255, 255, 255]))
writer.wait_for_acks()
"""
LISTENER = """
import rclpy
from std_msgs.msg import String
rclpy.init()
node = rclpy.create_node('listener')
node.create_subscription(String, 'text', lambda message: None, 1000)
print('there', flush=True)
input()
rclpy.shutdown()
"""


@pytest.mark.fuzz
@given(st.lists(st.tuples(st.sampled_from('abc'), st.integers(0, 99), st.floats(0.0, 3.0))))
def test_lines_of_a_kind_are_rare_and_counted(arrivals):
    """Whatever comes: at most one in five seconds, and none is forgotten."""
    now, written = [0.0], []
    lines = log.ThrottledLines(lambda line: written.append((now[0], line)), lambda: now[0])
    for kind, number, later in arrivals:
        now[0] += later
        lines.add(f'{kind} {number}')
    before = len(written)
    lines.finish()
    for kind in 'abc':
        times = [t for t, line in written[:before] if line.startswith(kind)]
        assert all(b - a >= log.PERIOD for a, b in pairwise(times))
        logged = sum(1 + int((re.search(r'least (\d+) more', line) or [0, 0])[1])
                     for _, line in written if line.startswith(kind))
        assert logged == Counter(kind for kind, _, _ in arrivals)[kind]


def test_kinds_have_a_bound():
    written = []
    lines = log.ThrottledLines(written.append, lambda: 0.0)
    for k in range(3 * log.MOST_KINDS):
        for _ in range(2):
            lines.add('x' * k)
    lines.finish()
    assert len(lines._kinds) == 0
    assert len(written) == 6 * log.MOST_KINDS


def test_samples_that_are_no_messages_do_not_flood_the_log(run, capfd):
    """One line, and at the end how many more there would have been."""
    listener = run('-c', LISTENER)
    assert listener.stdout.readline() == 'there\n'
    assert run('-c', SENDER).wait(30) == 0
    time.sleep(0.2)
    print(file=listener.stdin, flush=True)
    assert listener.wait(30) == 0
    said = [line for line in capfd.readouterr().err.splitlines() if 'deserialization' in line]
    assert len(said) == 2
    assert '498 more like it' in said[1]
