"""Waitables of programs' own, and wait sets without an executor."""
import threading

import pytest
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.clock import Clock, ClockType
from rclpy.event_handler import (
    QoSPublisherEventType,
    QoSSubscriptionEventType,
    QoSSubscriptionMatchedInfo,
)
from rclpy.executors import SingleThreadedExecutor
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.task import Future
from rclpy.waitable import NumberOfEntities, Waitable
from std_msgs.msg import Int32
from std_srvs.srv import SetBool

SECOND = 10**9


def subscription(node):
    return _rclpy.Subscription(node.handle, Int32, 'topic'), lambda s: s.take_message(Int32, False)


def client(node):
    return (_rclpy.Client(node.handle, SetBool, 'service'),
            lambda c: c.take_response(SetBool.Response))


def service(node):
    return (_rclpy.Service(node.handle, SetBool, 'service'),
            lambda s: s.service_take_request(SetBool.Request))


def timer(node):
    clock = Clock(clock_type=ClockType.STEADY_TIME)
    return (_rclpy.Timer(clock.handle, node.context.handle, 10_000_000),
            lambda t: t.call_timer() or 'called')


def guard_condition(node):
    return _rclpy.GuardCondition(node.context.handle), lambda g: 'triggered'


KINDS = {kind.__name__: kind for kind in (subscription, client, service, timer, guard_condition)}


class One(Waitable):
    """Waits for one entity, whatever its kind, and gives what it takes of it."""

    def __init__(self, node, kind):
        super().__init__(ReentrantCallbackGroup())
        self.kind = kind
        self.entity, self._take = KINDS[kind](node)
        self.future, self._index, self._ready = Future(), None, False

    def is_ready(self, wait_set):
        self._ready = self._ready or wait_set.is_ready(self.kind, self._index)
        return self._ready

    def take_data(self):
        self._ready = False
        return self._take(self.entity)

    async def execute(self, taken_data):
        self.future.set_result(taken_data)

    def get_num_entities(self):
        return NumberOfEntities()

    def add_to_wait_set(self, wait_set):
        self._index = getattr(wait_set, f'add_{self.kind}')(self.entity)


@pytest.fixture
def wait(make_node):
    """wait(kind, act) -> what a waitable of the kind took after act(node, its entity)."""
    node = make_node('owner')
    executor = SingleThreadedExecutor()
    executor.add_node(node)

    def result(kind, act):
        waitable = One(node, kind)
        node.add_waitable(waitable)
        thread = threading.Thread(
            target=executor.spin_until_future_complete, args=(waitable.future, 20.0))
        thread.start()
        act(node, waitable.entity)
        thread.join()
        node.remove_waitable(waitable)
        return waitable.future.result()

    yield result
    executor.shutdown()


def test_a_subscription(wait):
    def act(node, entity):
        node.create_publisher(Int32, 'topic', 1).publish(Int32(data=3))

    message, info = wait('subscription', act)
    assert message.data == 3
    assert info['source_timestamp'] > 0


def test_a_client(wait):
    def act(node, entity):
        def serve(request, response):
            response.message = 'served'
            return response

        node.create_service(SetBool, 'service', serve)
        while not entity.service_server_is_available():
            pass
        sent.append(entity.send_request(SetBool.Request(data=True)))

    sent = []
    info, response = wait('client', act)
    assert response.message == 'served'
    assert [info.request_id.sequence_number] == sent


def test_a_service(wait):
    def act(node, entity):
        asking = node.create_client(SetBool, 'service')
        assert asking.wait_for_service(10.0)
        futures.append(asking.call_async(SetBool.Request(data=True)))

    futures = []
    request, info = wait('service', act)
    assert request.data
    assert info.source_timestamp > 0
    assert info.request_id.sequence_number == 1


def test_a_timer(wait):
    assert wait('timer', lambda node, entity: None) == 'called'


def test_a_guard_condition(wait):
    assert wait('guard_condition', lambda node, entity: entity.trigger_guard_condition())


@pytest.fixture
def wait_set(make_node):
    node = make_node('owner')
    with node.context.handle:
        made = _rclpy.WaitSet(1, 1, 1, 0, 0, 1, node.context.handle)
    yield node, made
    made.destroy_when_not_in_use()


def test_a_wait_set_reports_what_is_ready_by_kind_and_index(wait_set):
    node, waits = wait_set
    listener, guard = subscription(node)[0], guard_condition(node)[0]
    topic, condition = waits.add_subscription(listener), waits.add_guard_condition(guard)
    waits.wait(0)
    assert not waits.is_ready('subscription', topic)
    assert waits.get_ready_entities('guard_condition') == []
    guard.trigger_guard_condition()
    waits.wait(10 * SECOND)
    assert waits.is_ready('guard_condition', condition)
    assert waits.is_ready('guard_condition', condition)  # until the next wait
    waits.wait(0)
    assert not waits.is_ready('guard_condition', condition)
    publisher = node.create_publisher(Int32, 'topic', 1)
    publisher.publish(Int32())
    waits.wait(10 * SECOND)
    assert waits.get_ready_entities('subscription') == [listener.pointer]
    with pytest.raises(IndexError):
        waits.is_ready('timer', 0)


def test_a_wait_set_waits_for_timers(wait_set):
    node, waits = wait_set
    entity = timer(node)[0]
    index = waits.add_timer(entity)
    waits.wait(-1)
    assert waits.is_ready('timer', index)
    entity.call_timer()
    assert not waits.is_ready('timer', index)
    assert entity.get_timer_period() == 10_000_000
    entity.cancel_timer()
    assert entity.is_timer_canceled()


def test_events_of_publishers_and_subscriptions(wait_set):
    node, waits = wait_set
    listener = node.create_subscription(Int32, 'topic', print, 1)
    with listener.handle:
        event = _rclpy.EventHandle(
            listener.handle, QoSSubscriptionEventType.RCL_SUBSCRIPTION_MATCHED)
    index = waits.add_event(event)
    waits.wait(0)
    assert not waits.is_ready('event', index)
    publisher = node.create_publisher(Int32, 'topic', 1)
    waits.wait(10 * SECOND)
    assert waits.is_ready('event', index)
    with event:
        assert event.take_event() == QoSSubscriptionMatchedInfo(1, 1, 1, 1)
    lost = _rclpy.EventHandle(
        publisher.handle, QoSPublisherEventType.RCL_PUBLISHER_LIVELINESS_LOST)
    assert lost.take_event().total_count == 0
    lost.destroy_when_not_in_use()


def test_what_is_dropped_leaves_the_graph(make_node, spin_until):
    node = make_node('owner')
    made = _rclpy.Publisher(node.handle, Int32, 'dropped')
    assert made.get_topic_name() == '/dropped'
    spin_until(lambda: node.count_publishers('dropped') == 1, node)
    del made
    spin_until(lambda: node.count_publishers('dropped') == 0, node)
