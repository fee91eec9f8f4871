"""Delivery between processes: histories for late joiners, order, many at once."""
import os
import signal
import time

import pytest
from rclpy.qos import QoSDurabilityPolicy, QoSProfile
from rclpy.serialization import serialize_message
from std_msgs.msg import Int32

LATCHED = QoSProfile(depth=1000, durability=QoSDurabilityPolicy.TRANSIENT_LOCAL)

TALKER = """
import rclpy
from rclpy.qos import QoSDurabilityPolicy, QoSProfile
from std_msgs.msg import Int32
rclpy.init(args=[])
node = rclpy.create_node('talker')
publisher = node.create_publisher(Int32, 'history', QoSProfile(
    depth=1000, durability=QoSDurabilityPolicy.TRANSIENT_LOCAL))
for number in range(1200):
    publisher.publish(Int32(data=number))
print('published', flush=True)
rclpy.spin(node)
"""

RELAY = """
import sys
import rclpy
from std_msgs.msg import Int32
source, target = sys.argv[1:]
rclpy.init(args=[])
node = rclpy.create_node('relay_' + target)
publisher = node.create_publisher(Int32, target, 1000)
node.create_subscription(Int32, source, publisher.publish, 1000)
rclpy.spin(node)
"""


def test_late_joiner_gets_the_whole_history(make_node, spin_until, run):
    """A latched subscription that comes late gets the last 1000 messages, in order."""
    process = run('-c', TALKER)
    assert process.stdout.readline() == 'published\n'
    for number in range(3):
        node, received = make_node(f'listener_{number}'), []
        node.create_subscription(Int32, 'history', received.append, LATCHED)
        spin_until(lambda: received and received[-1].data == 1199, node)  # noqa: B023
        assert [message.data for message in received] == list(range(200, 1200))


def test_late_joiner_in_the_same_process(make_node, spin_until):
    """So does one of the same process, spun only when all is there."""
    talker, listener, received = make_node('talker'), make_node('listener'), []
    publisher = talker.create_publisher(Int32, 'history', LATCHED)
    for number in range(1200):
        publisher.publish(Int32(data=number))
    listener.create_subscription(Int32, 'history', received.append, LATCHED)
    spin_until(lambda: len(received) >= 1000, listener)
    assert [message.data for message in received] == list(range(200, 1200))


@pytest.mark.parametrize('raw', [False, True])
def test_messages_wait_to_be_taken_without_spinning(make_node, spin_until, raw):
    """What an executor would take is taken through the handle, in order, then nothing."""
    talker, listener = make_node('talker'), make_node('listener')
    subscription = listener.create_subscription(Int32, 'waiting', print, 10, raw=raw)
    publisher = talker.create_publisher(Int32, 'waiting', 10)
    spin_until(publisher.get_subscription_count, talker)
    messages = [Int32(data=number) for number in range(3)]
    for message in messages:
        publisher.publish(message)
    taken = []

    def all_taken():
        with subscription.handle:
            one = subscription.handle.take_message(Int32, raw)
        if one is not None:
            taken.append(one)
        return len(taken) >= 3

    spin_until(all_taken, talker)
    assert [one for one, _ in taken] == ([*map(serialize_message, messages)] if raw else messages)
    times = [info['source_timestamp'] for _, info in taken]
    assert 0 < times[0] <= times[1] <= times[2] <= taken[2][1]['received_timestamp']
    assert subscription.handle.take_message(Int32, raw) is None


def test_chain_of_processes_keeps_order(make_node, spin_until, run):
    """1000 messages through a chain of four processes arrive, all of them and in order."""
    node, received = make_node('end'), []
    publisher = node.create_publisher(Int32, 'hop0', 1000)
    node.create_subscription(Int32, 'hop4', lambda m: received.append(m.data), 1000)
    for hop in range(4):
        run('-c', RELAY, f'hop{hop}', f'hop{hop + 1}')
    spin_until(lambda: publisher.get_subscription_count() == 1, node)
    spin_until(lambda: all(
        node.count_publishers(f'hop{hop}') == node.count_subscribers(f'hop{hop}') == 1
        for hop in range(5)), node)
    spin_until(lambda: publisher.publish(Int32(data=-1)) or received, node)
    sent = iter(range(1000))

    def send_a_few():
        for _ in range(5):
            number = next(sent, None)
            if number is not None:
                publisher.publish(Int32(data=number))
        return received[-1] == 999

    spin_until(send_a_few, node, timeout=60.0)
    assert [number for number in received if number >= 0] == list(range(1000))


def test_idle_nodes_do_not_poll(make_node):
    """A node with nothing to do waits once for all that time."""
    from rclpy.executors import SingleThreadedExecutor
    node, waits = make_node('idle'), []
    node.create_subscription(Int32, 'nothing', print, 10)
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    executor.spin_once(timeout_sec=0.3)  # discovery settles
    waiter = executor._waiter
    original, waiter.wait = waiter.wait, lambda conditions, timeout: (
        waits.append(timeout) or original(conditions, timeout))
    executor.spin_once(timeout_sec=0.5)
    executor.shutdown()
    assert len(waits) <= 3


def test_interrupt_is_prompt(run):
    """Ctrl-C ends a node that waits for nothing in particular at once."""
    process = run('-c', """
import signal, time
import rclpy
signal.signal(signal.SIGINT, signal.default_int_handler)
rclpy.init(args=[])
node = rclpy.create_node('waiting')
print('up', flush=True)
try:
    rclpy.spin(node)
except KeyboardInterrupt:
    print(time.time(), rclpy.ok(), flush=True)
""")
    assert process.stdout.readline() == 'up\n'
    time.sleep(0.2)
    sent = time.time()
    os.kill(process.pid, signal.SIGINT)
    noticed, ok = process.stdout.readline().split()
    assert float(noticed) - sent < 1.0
    assert ok == 'False'


def test_contexts_of_one_process_see_each_other(spin_until, fresh_domain, ros):
    """Nodes of two contexts on one domain are in one graph and exchange messages."""
    from rclpy.context import Context
    from rclpy.executors import SingleThreadedExecutor
    other = Context()
    ros.init(args=[], context=other)
    here, there = ros.create_node('here'), ros.create_node('there', context=other)
    received = []
    here.create_subscription(Int32, 'across', received.append, 10)
    publisher = there.create_publisher(Int32, 'across', 10)
    spin_until(lambda: publisher.get_subscription_count() == 1, here)
    publisher.publish(Int32(data=4))
    spin_until(lambda: received, here)
    spin_until(lambda: set(there.get_node_names()) == {'here', 'there'}, here)
    with SingleThreadedExecutor(context=other) as executor:
        executor.add_node(there)
        executor.spin_once(timeout_sec=0)
    ros.shutdown(context=other)
    there.destroy_node()
    spin_until(lambda: here.get_node_names() == ['here'], here)
    here.destroy_node()


@pytest.mark.parametrize('end', ['', 'node.destroy_node()', 'rclpy.shutdown()'])
def test_nodes_leave_with_their_process(make_node, run, end):
    """However a program ends, its node is gone at once, not only when its lease runs out (10 s)."""
    watcher = make_node('watcher')
    process = run('-c', f"""
import sys
import rclpy
rclpy.init(args=[])
node = rclpy.create_node('leaving')
print('up', flush=True)
sys.stdin.readline()
{end}
""")
    assert process.stdout.readline() == 'up\n'
    assert watcher.wait_for_node('leaving', 20.0)
    process.stdin.close()
    process.wait()
    left = time.monotonic()
    while 'leaving' in watcher.get_node_names():
        assert time.monotonic() < left + 4.0
        time.sleep(0.005)
