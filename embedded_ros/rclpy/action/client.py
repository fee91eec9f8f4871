"""Clients of actions."""
import threading
import time
from types import GenericAlias
import uuid
import weakref

from action_msgs.msg import GoalStatus
from action_msgs.srv import CancelGoal
from unique_identifier_msgs.msg import UUID

from rclpy.qos import QoSProfile, qos_profile_action_status_default, qos_profile_services_default
from rclpy.task import Future
from rclpy.type_support import check_for_type_support
from rclpy.waitable import NumberOfEntities, ServedByItsParts

_FINAL = (GoalStatus.STATUS_SUCCEEDED, GoalStatus.STATUS_CANCELED, GoalStatus.STATUS_ABORTED)


class ClientGoalHandle:
    """A goal that was sent, accepted or not."""

    __class_getitem__ = classmethod(GenericAlias)  # for annotations

    def __init__(self, action_client, goal_id, goal_response):
        self._action_client = action_client
        self._goal_id = goal_id
        self._goal_response = goal_response
        self._status = GoalStatus.STATUS_UNKNOWN

    def __eq__(self, other):
        return isinstance(other, ClientGoalHandle) and self._goal_id == other.goal_id

    def __repr__(self):
        return (f'ClientGoalHandle <id={bytes(self.goal_id.uuid).hex()}, '
                f'accepted={self.accepted}, status={self.status}>')

    @property
    def goal_id(self):
        return self._goal_id

    @property
    def stamp(self):
        """When the server accepted it."""
        return self._goal_response.stamp

    @property
    def accepted(self):
        return self._goal_response.accepted

    @property
    def status(self):
        """Number of action_msgs.msg.GoalStatus, as last received."""
        return self._status

    def cancel_goal(self):
        """Ask for its end and wait for the answer; another thread must spin the node."""
        return self._action_client._cancel_goal(self)

    def cancel_goal_async(self):
        return self._action_client._cancel_goal_async(self)

    def get_result(self):
        """Wait for the result; another thread must spin the node."""
        return self._action_client._get_result(self)

    def get_result_async(self):
        """Future of the response with .status and .result."""
        return self._action_client._get_result_async(self)


class ActionClient(ServedByItsParts):
    """Sends goals of an action."""

    def __init__(self, node, action_type, action_name, *, callback_group=None,
                 goal_service_qos_profile=qos_profile_services_default,
                 result_service_qos_profile=qos_profile_services_default,
                 cancel_service_qos_profile=qos_profile_services_default,
                 feedback_sub_qos_profile=None,
                 status_sub_qos_profile=qos_profile_action_status_default):
        check_for_type_support(action_type)
        super().__init__(callback_group or node.default_callback_group)
        self._node, self._action_type, self._action_name = node, action_type, action_name
        self._goal_handles = {}  # bytes of the id -> weak reference
        self._feedback_callbacks = {}
        parts = action_type.Impl

        def client(kind, name, profile):
            return node.create_client(kind, f'{action_name}/_action/{name}', qos_profile=profile,
                                      callback_group=callback_group)

        self._goal_client = client(
            parts.SendGoalService, 'send_goal', goal_service_qos_profile)
        self._result_client = client(
            parts.GetResultService, 'get_result', result_service_qos_profile)
        self._cancel_client = client(CancelGoal, 'cancel_goal', cancel_service_qos_profile)
        self._feedback_subscription = node.create_subscription(
            parts.FeedbackMessage, f'{action_name}/_action/feedback', self._on_feedback,
            feedback_sub_qos_profile or QoSProfile(depth=10), callback_group=callback_group)
        self._status_subscription = node.create_subscription(
            parts.GoalStatusMessage, f'{action_name}/_action/status', self._on_status,
            status_sub_qos_profile, callback_group=callback_group)

    def send_goal(self, goal, **kwargs):
        """Send a goal and wait for the result; another thread must spin the node.

        Gives the response with .status and .result, or None if the goal was rejected.
        """
        handle = _wait(self.send_goal_async(goal, **kwargs))
        return self._get_result(handle) if handle.accepted else None

    def send_goal_async(self, goal, feedback_callback=None, goal_uuid=None):
        """Send a goal; the Future gives a ClientGoalHandle once the server has answered."""
        if not isinstance(goal, self._action_type.Goal):
            raise TypeError(f'Expected type {self._action_type.Goal}, got {type(goal)}')
        goal_id = goal_uuid or UUID(uuid=list(uuid.uuid4().bytes))
        key = bytes(goal_id.uuid)
        if feedback_callback is not None:
            self._feedback_callbacks[key] = feedback_callback

        def on_response(response):
            handle = ClientGoalHandle(self, goal_id, response)
            if response.accepted:
                self._goal_handles[key] = weakref.ref(handle)
            else:
                self._feedback_callbacks.pop(key, None)
            return handle

        request = self._action_type.Impl.SendGoalService.Request(goal_id=goal_id, goal=goal)
        return _then(self._goal_client.call_async(request), on_response)

    def _cancel_goal(self, goal_handle):
        return _wait(self._cancel_goal_async(goal_handle))

    def _cancel_goal_async(self, goal_handle):
        _check_handle(goal_handle)
        request = CancelGoal.Request()
        request.goal_info.goal_id = goal_handle.goal_id
        return self._cancel_client.call_async(request)

    def _get_result(self, goal_handle):
        return _wait(self._get_result_async(goal_handle))

    def _get_result_async(self, goal_handle):
        _check_handle(goal_handle)

        def on_response(response):
            goal_handle._status = response.status
            self._feedback_callbacks.pop(bytes(goal_handle.goal_id.uuid), None)
            return response

        request = self._action_type.Impl.GetResultService.Request(goal_id=goal_handle.goal_id)
        return _then(self._result_client.call_async(request), on_response)

    def _on_feedback(self, message):
        callback = self._feedback_callbacks.get(bytes(message.goal_id.uuid))
        if callback is not None:
            callback(message)

    def _on_status(self, message):
        for status in message.status_list:
            key = bytes(status.goal_info.goal_id.uuid)
            reference = self._goal_handles.get(key)
            handle = reference() if reference else None
            if handle is not None:
                handle._status = status.status
            if handle is None or status.status in _FINAL:
                self._goal_handles.pop(key, None)

    def server_is_ready(self):
        """Whether all services and topics of a server are there."""
        return (all(client.service_is_ready() for client in (
                    self._goal_client, self._result_client, self._cancel_client))
                and self._feedback_subscription.get_publisher_count() > 0
                and self._status_subscription.get_publisher_count() > 0)

    def wait_for_server(self, timeout_sec=None):
        """Wait until a server is there; False where that takes longer [s]."""
        end = None if timeout_sec is None else time.monotonic() + timeout_sec
        while self._node.context.ok() and not self.server_is_ready():
            if end is not None and time.monotonic() >= end:
                break
            time.sleep(0.01)
        return self._node.context.ok() and self.server_is_ready()

    def get_num_entities(self):
        return NumberOfEntities(num_subs=2, num_clients=3)

    def destroy(self):
        """Give up services and topics."""
        for client in (self._goal_client, self._result_client, self._cancel_client):
            self._node.destroy_client(client)
        for subscription in (self._feedback_subscription, self._status_subscription):
            self._node.destroy_subscription(subscription)


def _check_handle(goal_handle):
    if not isinstance(goal_handle, ClientGoalHandle):
        raise TypeError(f'Expected type ClientGoalHandle, got {type(goal_handle)}')


def _then(future, convert):
    """Future of what convert makes of another future's result."""
    converted = Future()

    def on_done(done):
        if done.cancelled():
            converted.cancel()
        elif done.exception() is not None:
            converted.set_exception(done.exception())
        else:
            converted.set_result(convert(done.result()))

    future.add_done_callback(on_done)
    return converted


def _wait(future):
    done = threading.Event()
    future.add_done_callback(lambda _: done.set())
    done.wait()
    return future.result()
