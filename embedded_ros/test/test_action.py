"""Actions: goals, feedback, results, cancelling."""
import time

from action_msgs.msg import GoalStatus
import pytest
import rclpy
from rclpy.action import (
    ActionClient,
    ActionServer,
    CancelResponse,
    GoalResponse,
    get_action_names_and_types,
    get_action_server_names_and_types_by_node,
)
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import MultiThreadedExecutor
from rclpy.waitable import Waitable
from test_msgs.action import Fibonacci


class Fixture:
    """A server node and a client node in one executor of several threads."""

    def __init__(self):
        rclpy.init(args=[])
        self.server_node = rclpy.create_node('server')
        self.client_node = rclpy.create_node('client')
        self.executor = MultiThreadedExecutor(4)
        self.executor.add_node(self.server_node)
        self.executor.add_node(self.client_node)
        self.client = ActionClient(self.client_node, Fibonacci, 'fibonacci')

    def serve(self, execute, **callbacks):
        self.server = ActionServer(
            self.server_node, Fibonacci, 'fibonacci', execute,
            callback_group=ReentrantCallbackGroup(), **callbacks)
        assert self.client.wait_for_server(10)

    def wait(self, future):
        self.executor.spin_until_future_complete(future, 10)
        assert future.done()
        return future.result()

    def send(self, order=5, **options):
        return self.wait(self.client.send_goal_async(Fibonacci.Goal(order=order), **options))

    def close(self):
        self.executor.shutdown()
        self.client_node.destroy_node()
        self.server_node.destroy_node()
        rclpy.try_shutdown()


@pytest.fixture
def action():
    fixture = Fixture()
    yield fixture
    fixture.close()


def _count(goal_handle):
    sequence = [0, 1]
    while len(sequence) < goal_handle.request.order:
        sequence.append(sequence[-1] + sequence[-2])
        goal_handle.publish_feedback(Fibonacci.Feedback(sequence=sequence))
    goal_handle.succeed()
    return Fibonacci.Result(sequence=sequence)


def test_goal_with_feedback_and_result(action):
    """Feedback arrives in order; the result carries the final status."""
    action.serve(_count)
    lengths = []
    handle = action.send(6, feedback_callback=lambda m: lengths.append(len(m.feedback.sequence)))
    assert handle.accepted
    response = action.wait(handle.get_result_async())
    assert response.status == GoalStatus.STATUS_SUCCEEDED
    assert list(response.result.sequence) == [0, 1, 1, 2, 3, 5]
    assert lengths == sorted(lengths)


def test_rejected_goal(action):
    action.serve(_count, goal_callback=lambda goal: GoalResponse.REJECT)
    assert not action.send().accepted


def _until_cancelled(goal_handle):
    end = time.monotonic() + 10
    while not goal_handle.is_cancel_requested and time.monotonic() < end:
        time.sleep(0.005)
    goal_handle.canceled()
    return Fibonacci.Result()


def test_cancelled_goal(action):
    """The callback sees the request; the result says CANCELED."""
    action.serve(_until_cancelled, cancel_callback=lambda handle: CancelResponse.ACCEPT)
    handle = action.send()
    answer = action.wait(handle.cancel_goal_async())
    assert [info.goal_id for info in answer.goals_canceling] == [handle.goal_id]
    assert action.wait(handle.get_result_async()).status == GoalStatus.STATUS_CANCELED
    late = action.wait(handle.cancel_goal_async())
    assert late.return_code == late.ERROR_GOAL_TERMINATED


def test_cancelling_refused(action):
    """By default a server refuses to cancel."""
    release = []

    def execute(goal_handle):
        while not release:
            time.sleep(0.005)
        goal_handle.succeed()
        return Fibonacci.Result()

    action.serve(execute)
    handle = action.send()
    answer = action.wait(handle.cancel_goal_async())
    assert answer.return_code == answer.ERROR_REJECTED
    assert list(answer.goals_canceling) == []
    release.append(True)
    assert action.wait(handle.get_result_async()).status == GoalStatus.STATUS_SUCCEEDED


@pytest.mark.parametrize('execute', [lambda handle: 1 / 0, lambda handle: None])
def test_goal_that_fails(action, execute, capfd):
    """An exception, or no final state, counts as aborted; the server lives on."""
    action.serve(execute)
    for _ in range(2):
        response = action.wait(action.send().get_result_async())
        assert response.status == GoalStatus.STATUS_ABORTED
    assert 'execute callback' in capfd.readouterr().err or execute(None) is None


def test_async_execute_callback(action):
    async def execute(goal_handle):
        return _count(goal_handle)

    action.serve(execute)
    response = action.wait(action.send(3).get_result_async())
    assert list(response.result.sequence) == [0, 1, 1]


def test_result_is_forgotten_after_the_timeout(action):
    """Results are kept for result_timeout; later the goal is unknown."""
    action.serve(_count, result_timeout=0.1)
    handle = action.send()
    action.wait(handle.get_result_async())
    end = time.monotonic() + 5
    while action.server._goal_handles and time.monotonic() < end:
        action.executor.spin_once(0.05)
    assert action.wait(handle.get_result_async()).status == GoalStatus.STATUS_UNKNOWN


def test_graph(action):
    """Actions are listed by name and type."""
    action.serve(_count)
    expected = [('/fibonacci', ['test_msgs/action/Fibonacci'])]
    assert get_action_names_and_types(action.client_node) == expected
    assert get_action_server_names_and_types_by_node(
        action.client_node, 'server', '/') == expected
    assert get_action_server_names_and_types_by_node(action.client_node, 'client', '/') == []


def test_wrong_goal_type(action):
    with pytest.raises(TypeError, match='Goal'):
        action.client.send_goal_async(Fibonacci.Result())


def test_clients_and_servers_are_waitables_of_their_group(make_node):
    node, group = make_node('owner'), ReentrantCallbackGroup()
    server = ActionServer(node, Fibonacci, 'count', print, callback_group=group)
    client = ActionClient(node, Fibonacci, 'count')
    assert isinstance(server, Waitable)
    assert isinstance(client, Waitable)
    assert group.has_entity(server)
    assert node.default_callback_group.has_entity(client)
    with server, client:
        assert not client.is_ready(None)
    client.destroy()
    server.destroy()
