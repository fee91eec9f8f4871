"""A goal on the side of the server, and the states it passes."""
from enum import Enum
import threading
from types import GenericAlias

from action_msgs.msg import GoalInfo, GoalStatus

from rclpy.impl.errors import RCLError


class GoalEvent(Enum):
    """What happens to a goal."""

    EXECUTE = 1
    CANCEL_GOAL = 2
    SUCCEED = 3
    ABORT = 4
    CANCELED = 5


_ACCEPTED, _EXECUTING, _CANCELING = (
    GoalStatus.STATUS_ACCEPTED, GoalStatus.STATUS_EXECUTING, GoalStatus.STATUS_CANCELING)
_NEXT = {
    (_ACCEPTED, GoalEvent.EXECUTE): _EXECUTING,
    (_ACCEPTED, GoalEvent.CANCEL_GOAL): _CANCELING,
    (_EXECUTING, GoalEvent.CANCEL_GOAL): _CANCELING,
    (_EXECUTING, GoalEvent.SUCCEED): GoalStatus.STATUS_SUCCEEDED,
    (_EXECUTING, GoalEvent.ABORT): GoalStatus.STATUS_ABORTED,
    (_CANCELING, GoalEvent.SUCCEED): GoalStatus.STATUS_SUCCEEDED,
    (_CANCELING, GoalEvent.ABORT): GoalStatus.STATUS_ABORTED,
    (_CANCELING, GoalEvent.CANCELED): GoalStatus.STATUS_CANCELED,
}


class ServerGoalHandle:
    """A goal that the server accepted; execute callbacks get it."""

    __class_getitem__ = classmethod(GenericAlias)  # for annotations

    def __init__(self, action_server, goal_id, goal_request, stamp):
        self._action_server = action_server
        self._goal_info = GoalInfo(goal_id=goal_id, stamp=stamp)
        self._goal_request = goal_request
        self._status = _ACCEPTED
        self._lock = threading.Lock()

    def __eq__(self, other):
        return isinstance(other, ServerGoalHandle) and self.goal_id == other.goal_id

    @property
    def request(self):
        """The goal itself."""
        return self._goal_request

    @property
    def goal_id(self):
        return self._goal_info.goal_id

    @property
    def goal_info(self):
        """Id and time of acceptance."""
        return self._goal_info

    @property
    def status(self):
        """Number of action_msgs.msg.GoalStatus."""
        return self._status

    @property
    def is_active(self):
        return self._status in (_ACCEPTED, _EXECUTING, _CANCELING)

    @property
    def is_cancel_requested(self):
        return self._status == _CANCELING

    def execute(self, execute_callback=None):
        """Have the executor run the execute callback (default: the server's)."""
        if not self.is_cancel_requested:
            self._update_state(GoalEvent.EXECUTE)
        self._action_server.notify_execute(self, execute_callback)

    def publish_feedback(self, feedback):
        if not isinstance(feedback, self._action_server.action_type.Feedback):
            raise TypeError(f'Expected {self._action_server.action_type.Feedback}, '
                            f'got {type(feedback)}')
        self._action_server._publish_feedback(self.goal_id, feedback)

    def succeed(self, response=None):
        self._finish(GoalEvent.SUCCEED, response)

    def abort(self, response=None):
        self._finish(GoalEvent.ABORT, response)

    def canceled(self, response=None):
        self._finish(GoalEvent.CANCELED, response)

    def destroy(self):
        """Nothing is held: the server forgets a goal after its result timeout."""

    def _finish(self, event, response):
        self._update_state(event)
        if response is not None:
            self._action_server._set_result(self, response)

    def _update_state(self, event):
        with self._lock:
            status = _NEXT.get((self._status, event))
            if status is None:
                raise RCLError(f'goal_handle attempted invalid transition from state '
                               f'{self._status} with event {event.name}')
            self._status = status
        self._action_server._publish_status()
