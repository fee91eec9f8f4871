"""Servers of actions."""
from enum import Enum
import inspect
import threading
import traceback

from action_msgs.msg import GoalStatus
from action_msgs.srv import CancelGoal

from rclpy.action.server_goal_handle import GoalEvent, ServerGoalHandle
from rclpy.impl.ready import await_or_execute
from rclpy.qos import QoSProfile, qos_profile_action_status_default, qos_profile_services_default
from rclpy.task import Future
from rclpy.type_support import check_for_type_support
from rclpy.waitable import NumberOfEntities, ServedByItsParts

_SERVICES = qos_profile_services_default


class GoalResponse(Enum):
    """What a goal callback answers."""

    REJECT = 1
    ACCEPT = 2


class CancelResponse(Enum):
    """What a cancel callback answers."""

    REJECT = 1
    ACCEPT = 2


def default_handle_accepted_callback(goal_handle):
    """Execute the goal at once."""
    goal_handle.execute()


def default_goal_callback(goal_request):
    """Accept every goal."""
    return GoalResponse.ACCEPT


def default_cancel_callback(cancel_request):
    """Refuse to cancel."""
    return CancelResponse.REJECT


class ActionServer(ServedByItsParts):
    """Offers an action.

    execute_callback(goal_handle) gives the result; it runs as a task of the node's executor.
    """

    def __init__(self, node, action_type, action_name, execute_callback, *, callback_group=None,
                 goal_callback=default_goal_callback,
                 handle_accepted_callback=default_handle_accepted_callback,
                 cancel_callback=default_cancel_callback,
                 goal_service_qos_profile=_SERVICES, result_service_qos_profile=_SERVICES,
                 cancel_service_qos_profile=_SERVICES, feedback_pub_qos_profile=None,
                 status_pub_qos_profile=qos_profile_action_status_default, result_timeout=10):
        check_for_type_support(action_type)
        super().__init__(callback_group or node.default_callback_group)
        self.action_type, self._node, self._result_timeout = action_type, node, result_timeout
        self._goal_handles, self._result_futures = {}, {}  # by the bytes of the goal's id
        self._lock = threading.RLock()
        self.register_handle_accepted_callback(handle_accepted_callback)
        self.register_goal_callback(goal_callback)
        self.register_cancel_callback(cancel_callback)
        self.register_execute_callback(execute_callback)
        parts, prefix = action_type.Impl, f'{action_name}/_action/'
        self._feedback_publisher = node.create_publisher(
            parts.FeedbackMessage, prefix + 'feedback',
            feedback_pub_qos_profile or QoSProfile(depth=10), callback_group=callback_group)
        self._status_publisher = node.create_publisher(
            parts.GoalStatusMessage, prefix + 'status', status_pub_qos_profile,
            callback_group=callback_group)

        def service(kind, name, callback, profile):
            return node.create_service(
                kind, prefix + name, callback, qos_profile=profile, callback_group=callback_group)

        self._goal_service = service(
            parts.SendGoalService, 'send_goal', self._on_goal, goal_service_qos_profile)
        self._cancel_service = service(
            CancelGoal, 'cancel_goal', self._on_cancel, cancel_service_qos_profile)
        self._result_service = service(
            parts.GetResultService, 'get_result', self._on_get_result, result_service_qos_profile)
        self._answer_goals(self._goal_service)
        _answer_later(self._result_service)

    def register_handle_accepted_callback(self, handle_accepted_callback):
        """Set what is called with the handle of an accepted goal."""
        self._handle_accepted_callback = (
            handle_accepted_callback or default_handle_accepted_callback)

    def register_goal_callback(self, goal_callback):
        """Set what decides about goals: callback(goal) -> GoalResponse."""
        self._goal_callback = goal_callback or default_goal_callback

    def register_cancel_callback(self, cancel_callback):
        """Set what decides about cancelling: callback(goal handle) -> CancelResponse."""
        self._cancel_callback = cancel_callback or default_cancel_callback

    def register_execute_callback(self, execute_callback):
        """Set what executes goals: callback(goal handle) -> result."""
        if not callable(execute_callback):
            raise TypeError('Failed to register goal execution callback: not callable')
        self._execute_callback = execute_callback

    def notify_execute(self, goal_handle, execute_callback):
        """Have the executor run a goal."""
        self._node.executor.create_task(
            self._execute_goal, execute_callback or self._execute_callback, goal_handle)

    async def _execute_goal(self, execute_callback, goal_handle):
        try:
            result = await await_or_execute(execute_callback, goal_handle)
        except Exception as error:
            self._log().error(f'Error raised in execute callback: {error}')
            traceback.print_exc()
            result = self.action_type.Result()
        if goal_handle.is_active:
            self._log().warning('Goal state not set, assuming aborted. Goal ID: '
                                f'{bytes(goal_handle.goal_id.uuid).hex()}')
            if goal_handle.status == GoalStatus.STATUS_ACCEPTED:
                goal_handle._update_state(GoalEvent.EXECUTE)
            goal_handle.abort()
        self._set_result(goal_handle, self.action_type.Result() if result is None else result)

    def _set_result(self, goal_handle, result):
        """Answer all requests for the result, now and until the result timeout."""
        key = bytes(goal_handle.goal_id.uuid)
        with self._lock:
            future = self._result_futures.get(key)
            if future is None or future.done():
                return
        future.set_result(self.action_type.Impl.GetResultService.Response(
            status=goal_handle.status, result=result))
        if self._result_timeout >= 0:
            self._forget_later(key)

    def _forget_later(self, key):
        def forget():
            self._node.destroy_timer(timer)
            with self._lock:
                self._goal_handles.pop(key, None)
                self._result_futures.pop(key, None)

        timer = self._node.create_timer(self._result_timeout, forget)

    async def _on_goal(self, request, response):
        key = bytes(request.goal_id.uuid)
        with self._lock:
            known = key in self._goal_handles
        if known:
            self._log().error(f'Ignoring goal with ID {key.hex()}: it is already in use')
            return response
        try:
            answer = await await_or_execute(self._goal_callback, request.goal)
        except Exception as error:
            self._log().error(f'Error raised in goal callback: {error}')
            answer = GoalResponse.REJECT
        if not isinstance(answer, GoalResponse):
            self._log().warning('Goal request handler callback did not return a GoalResponse. '
                                'Rejecting goal request')
        if answer == GoalResponse.ACCEPT:
            response.accepted = True
            response.stamp = self._node.get_clock().now().to_msg()
            handle = ServerGoalHandle(self, request.goal_id, request.goal, response.stamp)
            with self._lock:
                self._goal_handles[key] = handle
                self._result_futures[key] = Future()
            self._publish_status()
            response = _Accepted(response, handle)
        return response

    def _answer_goals(self, service):
        """Call the accepted callback only when the client has the answer."""
        send = service.send_response

        def send_and_accept(response, header):
            if not isinstance(response, _Accepted):
                send(response, header)
                return
            send(response.message, header)
            if inspect.iscoroutinefunction(self._handle_accepted_callback):
                self._node.executor.create_task(
                    self._handle_accepted_callback, response.goal_handle)
            else:
                self._handle_accepted_callback(response.goal_handle)

        service.send_response = send_and_accept

    async def _on_cancel(self, request, response):
        wanted, response.return_code = self._select(request.goal_info)
        for handle in wanted:
            try:
                answer = await await_or_execute(self._cancel_callback, handle)
            except Exception as error:
                self._log().error(f'Error raised in cancel callback: {error}')
                answer = CancelResponse.REJECT
            if answer == CancelResponse.ACCEPT and handle.is_active:
                if not handle.is_cancel_requested:
                    handle._update_state(GoalEvent.CANCEL_GOAL)
                response.goals_canceling.append(handle.goal_info)
        if wanted and not response.goals_canceling:
            response.return_code = CancelGoal.Response.ERROR_REJECTED
        return response

    def _select(self, info):
        """Goals that a request means, and its return code.

        No id: all goals, or all accepted until a stamp; an id and a stamp: both conditions.
        """
        key, codes = bytes(info.goal_id.uuid), CancelGoal.Response
        stamp = info.stamp.sec * 10**9 + info.stamp.nanosec
        with self._lock:
            handles = dict(self._goal_handles)
        one = handles.get(key)
        if any(key) and not stamp:
            if one is None:
                return [], codes.ERROR_UNKNOWN_GOAL_ID
            return ([one], codes.ERROR_NONE) if one.is_active else (
                [], codes.ERROR_GOAL_TERMINATED)
        return [handle for handle in handles.values() if handle.is_active and (
            handle is one or not stamp or _nanoseconds(handle.goal_info.stamp) <= stamp)
        ], codes.ERROR_NONE

    def _on_get_result(self, request, response):
        with self._lock:
            future = self._result_futures.get(bytes(request.goal_id.uuid))
        if future is None:
            response.status = GoalStatus.STATUS_UNKNOWN
            return response
        return future

    def _publish_feedback(self, goal_id, feedback):
        self._feedback_publisher.publish(
            self.action_type.Impl.FeedbackMessage(goal_id=goal_id, feedback=feedback))

    def _publish_status(self):
        with self._lock:
            statuses = [GoalStatus(goal_info=handle.goal_info, status=handle.status)
                        for handle in self._goal_handles.values()]
        self._status_publisher.publish(
            self.action_type.Impl.GoalStatusMessage(status_list=statuses))

    def _log(self):
        return self._node.get_logger().get_child('action_server')

    def get_num_entities(self):
        return NumberOfEntities(num_timers=1, num_services=3)

    def destroy(self):
        """Give up services and topics."""
        for service in (self._goal_service, self._cancel_service, self._result_service):
            self._node.destroy_service(service)
        for publisher in (self._feedback_publisher, self._status_publisher):
            self._node.destroy_publisher(publisher)


class _Accepted:
    """The response to an accepted goal, with the goal's handle."""

    def __init__(self, message, goal_handle):
        self.message, self.goal_handle = message, goal_handle


def _answer_later(service):
    """Let the callback of a service give a Future of the response instead of the response."""
    send = service.send_response

    def send_when_done(response, header):
        if isinstance(response, Future):
            response.add_done_callback(lambda done: send(done.result(), header))
        else:
            send(response, header)

    service.send_response = send_when_done


def _nanoseconds(stamp):
    return stamp.sec * 10**9 + stamp.nanosec
