"""Executors beyond the contract: shutdown with work that waits, order of tasks, many threads."""
import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
import threading

import pytest
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import (
    Executor,
    MultiThreadedExecutor,
    ShutdownException,
    SingleThreadedExecutor,
)
from rclpy.task import Future
from std_msgs.msg import Int32
from std_srvs.srv import SetBool


def test_shutdown_does_not_wait_for_suspended_callbacks(make_node):
    """A coroutine that waits for ever does not keep the executor from ending."""
    node, entered = make_node('node'), threading.Event()

    async def wait():
        entered.set()
        await Future()

    node.create_timer(0.001, wait)
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    thread = threading.Thread(target=executor.spin)
    thread.start()
    assert entered.wait(20)
    assert executor.shutdown(timeout_sec=20.0)
    thread.join(20)
    assert not thread.is_alive()


def test_shutdown_waits_for_running_callbacks(make_node):
    node, entered, leave, left = make_node('node'), threading.Event(), threading.Event(), []

    def callback():
        entered.set()
        leave.wait(20)
        left.append(True)

    node.create_timer(0.001, callback)
    executor = MultiThreadedExecutor(2)
    executor.add_node(node)
    thread = threading.Thread(target=executor.spin)
    thread.start()
    assert entered.wait(20)
    assert executor.shutdown(timeout_sec=0.05) is False
    leave.set()
    assert executor.shutdown(timeout_sec=20.0)
    thread.join(20)
    assert left == [True]


def test_newest_task_first(ros):
    """Of several tasks the newest is begun first; one that waits goes on when it can."""
    executor, order = SingleThreadedExecutor(), []

    async def old():
        order.append('old')

    older = executor.create_task(old)

    async def new():
        order.append('new')
        await older
        order.append('new again')

    newer = executor.create_task(new)
    executor.spin_until_future_complete(newer, timeout_sec=20.0)
    assert order == ['new', 'old', 'new again']


def test_foreign_awaitables(ros):
    """A coroutine may await what merely yields, such as asyncio.sleep(0)."""
    executor = SingleThreadedExecutor()

    async def work():
        await asyncio.sleep(0)
        return 5

    task = executor.create_task(work)
    executor.spin_until_future_complete(task, timeout_sec=20.0)
    assert task.result() == 5


def test_many_threads_create_and_destroy(make_node):
    """Entities come and go in several threads while others call services."""
    nodes = [make_node(f'node_{number}') for number in range(2)]
    served, failures = [], []

    def serve(request, response):
        served.append(1)
        response.success = request.data
        return response

    for node in nodes:
        node.create_service(SetBool, '~/flip', serve, callback_group=ReentrantCallbackGroup())

    def churn(node, other):
        for number in range(20):
            publisher = node.create_publisher(Int32, '/churn', 10)
            subscription = node.create_subscription(Int32, '/churn', lambda message: None, 10)
            publisher.publish(Int32(data=number))
            client = node.create_client(SetBool, f'/{other.get_name()}/flip')
            if not client.wait_for_service(20.0) or not client.call(
                    SetBool.Request(data=True), 20.0).success:
                failures.append(number)
            for destroy, entity in ((node.destroy_client, client),
                                    (node.destroy_subscription, subscription),
                                    (node.destroy_publisher, publisher)):
                destroy(entity)

    executor = MultiThreadedExecutor(3)
    for node in nodes:
        executor.add_node(node)
    spinner = threading.Thread(target=executor.spin)
    spinner.start()
    threads = [threading.Thread(target=churn, args=pair)
               for pair in (nodes, nodes[::-1], nodes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    executor.shutdown()
    spinner.join(20)
    assert not failures
    assert len(served) == 60


class ByPriority(Executor):
    """Runs callbacks of some nodes in threads of their own, as programs' own executors do."""

    def __init__(self, preferred):
        super().__init__()
        self.preferred, self.used = preferred, set()
        self.pools = {name: ThreadPoolExecutor(1) for name in ('preferred', 'others')}

    def spin_once(self, timeout_sec=None):
        handler, _entity, node = self.wait_for_ready_callbacks(timeout_sec=timeout_sec)
        pool = 'preferred' if node in self.preferred else 'others'
        self.used.add(pool)
        self.pools[pool].submit(handler)


def test_an_executor_of_a_programs_own(make_node):
    """It defines spin_once() alone, which runs handlers in whatever thread it likes."""
    nodes, counts, done = [make_node('first'), make_node('second')], [0, 0], Future()

    def tick(which):
        counts[which] += 1
        if min(counts) == 5:
            done.set_result(None)

    for which, node in enumerate(nodes):
        node.create_timer(0.005, partial(tick, which))
    with ByPriority(nodes[:1]) as executor:
        for node in nodes:
            executor.add_node(node)
        executor.spin_until_future_complete(done, 20.0)
    assert done.done()
    assert executor.used == {'preferred', 'others'}


def test_an_executor_needs_spin_once(ros):
    with Executor() as executor, pytest.raises(NotImplementedError, match='spin_once'):
        executor.spin()


def test_work_is_given_one_after_another(make_node):
    node = make_node('ticking')
    node.create_timer(0.001, print)
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    work = executor._wait_for_ready_callbacks()
    for _ in range(2):
        handler, _entity, owner = next(work)
        assert owner is node
        handler()
    executor.shutdown()
    with pytest.raises(ShutdownException):
        next(work)


def test_a_response_does_not_overtake_what_a_task_sends(make_node):
    """A goal's feedback, say, is received before the caller knows that the goal was accepted."""
    node, messages = make_node('both'), []
    node.create_subscription(Int32, 'topic', messages.append, 10)
    publisher = node.create_publisher(Int32, 'topic', 10)
    client = node.create_client(SetBool, 'work')
    with SingleThreadedExecutor() as executor:
        def serve(request, response):
            executor.create_task(publisher.publish, Int32(data=1))
            return response

        node.create_service(SetBool, 'work', serve)
        executor.add_node(node)
        assert client.wait_for_service(10.0)
        executor.spin_until_future_complete(client.call_async(SetBool.Request()), 20.0)
    assert messages == [Int32(data=1)]
