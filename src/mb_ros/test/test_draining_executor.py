"""The executor of our nodes: what it takes, what it leaves, when it rests and how it ends."""

from itertools import pairwise
import threading
import time

import pytest
import rclpy
from rclpy.executors import ExternalShutdownException
from std_msgs.msg import Int32
from std_srvs.srv import Trigger

from mb_ros import draining_executor
from mb_ros.draining_executor import DrainingExecutor

DEPTH, WAIT = 50, 20.0


@pytest.fixture
def node(make_node):
    """Return a node that is not spun yet."""
    return make_node()


@pytest.fixture
def executor(node):
    """Return a DrainingExecutor that has the node."""
    made = DrainingExecutor()
    made.add_node(node)
    yield made
    made.shutdown()


def send(node, topic, values):
    """Publish numbers on a topic of this process's node, all before anybody takes one."""
    publisher = node.create_publisher(Int32, topic, DEPTH)
    end = time.monotonic() + WAIT
    while not publisher.get_subscription_count():
        assert time.monotonic() < end
        time.sleep(0.01)
    for value in values:
        publisher.publish(Int32(data=value))
    publisher.wait_for_all_acked()


def spin_until(executor, done):
    """Spin until something is so."""
    end = time.monotonic() + WAIT
    while not done():
        assert time.monotonic() < end
        executor.spin_once(timeout_sec=0.1)


def test_one_wake_takes_everything_of_all_inputs_in_turn(node, executor):
    taken = []
    for topic in ('a', 'b'):
        node.create_subscription(Int32, topic, lambda m, t=topic: taken.append((t, m.data)), DEPTH)
    send(node, 'a', range(5))
    send(node, 'b', range(3))
    spin_until(executor, lambda: taken)
    assert sorted(taken) == [('a', k) for k in range(5)] + [('b', k) for k in range(3)]
    assert [value for topic, value in taken if topic == 'a'] == list(range(5))
    assert {topic for topic, _ in taken[1:3]} == {'a', 'b'}         # not first all of one


def test_callbacks_get_what_they_ask_for(node, executor):
    taken = []
    node.create_subscription(Int32, 'topic', lambda m, info: taken.append(
        (m.data, info['source_timestamp'] > 0)), DEPTH)
    node.create_subscription(Int32, 'topic', lambda m: taken.append(type(m)), DEPTH, raw=True)
    node.create_subscription(Int32, 'topic', [].append, DEPTH)       # a builtin
    send(node, 'topic', [1, 2, 3])
    spin_until(executor, lambda: len(taken) == 6)
    assert sorted(taken, key=str) == [(1, True), (2, True), (3, True), bytes, bytes, bytes]


def test_coroutines_are_left_to_rclpy(node, executor):
    taken = []

    async def callback(message):
        taken.append(message.data)
    node.create_subscription(Int32, 'slow', callback, DEPTH)
    send(node, 'slow', [1, 2, 3])
    spin_until(executor, lambda: len(taken) == 3)
    assert taken == [1, 2, 3]


def test_a_callback_may_destroy_what_would_be_taken_next(node, executor):
    taken, others = [], []

    def callback(message):
        taken.append(message.data)
        for one in others:
            node.destroy_subscription(one)
        others.clear()
    node.create_subscription(Int32, 'first', callback, DEPTH)
    others.append(node.create_subscription(Int32, 'then', taken.append, DEPTH))
    send(node, 'then', [])
    send(node, 'first', [1, 2])
    spin_until(executor, lambda: len(taken) == 2)
    assert taken == [1, 2]


def test_services_are_served_however_many_messages_come(node, executor, monkeypatch):
    monkeypatch.setattr(draining_executor, 'LONGEST_TAKE', 1e-3)
    publisher = node.create_publisher(Int32, 'endless', DEPTH)
    node.create_subscription(Int32, 'endless', lambda m: publisher.publish(m), DEPTH)
    node.create_service(Trigger, 'ask', lambda _, response: response)
    send(node, 'endless', [1])
    client = node.create_client(Trigger, 'ask')
    assert client.wait_for_service(WAIT)
    answer = client.call_async(Trigger.Request())
    spin_until(executor, answer.done)


def test_what_a_callback_raises_comes_out(node, executor):
    def callback(message):
        if message.data == 2:
            raise SystemExit(3)
    node.create_subscription(Int32, 'last', callback, DEPTH)
    send(node, 'last', [1, 2])
    with pytest.raises(SystemExit):
        spin_until(executor, lambda: False)


def test_it_ends_with_its_context_or_by_its_own_shutdown(node, executor):
    node.create_timer(0.01, executor.shutdown)
    executor.spin()         # returns
    other = DrainingExecutor()
    other.add_node(node)
    threading.Timer(0.1, rclpy.shutdown).start()
    with pytest.raises(ExternalShutdownException):
        other.spin()


@pytest.mark.parametrize('asking', ['executor', 'node'])
def test_with_rest_it_wakes_seldom_and_loses_nothing(node, asking):
    """The maker of the executor asks for it, or a node in it."""
    executor, taken, times = DrainingExecutor(rest=0.05 * (asking == 'executor')), [], []
    node.wake_interval = 0.05 * (asking == 'node')

    def callback(message):
        taken.append(message.data)
        times.append(time.monotonic())
        if len(taken) == 40:
            executor.shutdown()
    node.create_subscription(Int32, 'many', callback, DEPTH)
    executor.add_node(node)
    sender = threading.Thread(target=lambda: [
        (time.sleep(0.005), send(node, 'many', [k])) for k in range(40)])
    sender.start()
    executor.spin()
    sender.join()
    assert taken == list(range(40))
    wakes = 1 + sum(b - a > 0.01 for a, b in pairwise(times))
    assert wakes <= (times[-1] - times[0]) / 0.05 + 2


def test_it_does_not_rest_while_messages_wait(node, monkeypatch):
    monkeypatch.setattr(draining_executor, 'LONGEST_TAKE', 0.0)
    executor, taken = DrainingExecutor(rest=WAIT), []

    def callback(message):
        taken.append(message.data)
        if len(taken) == DEPTH:
            executor.shutdown()
    node.create_subscription(Int32, 'queue', callback, DEPTH)
    executor.add_node(node)
    send(node, 'queue', range(DEPTH))
    begin = time.monotonic()
    executor.spin()
    assert taken == list(range(DEPTH))
    assert time.monotonic() - begin < WAIT
