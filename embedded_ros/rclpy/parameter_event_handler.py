"""Callbacks for changes of parameters, of any node."""
from threading import RLock

from rcl_interfaces.msg import ParameterEvent

from rclpy.qos import qos_profile_parameter_events


class ParameterCallbackHandle:
    """Stands for a callback about one parameter."""

    def __init__(self, parameter_name, node_name, callback):
        self.parameter_name = parameter_name
        self.node_name = node_name
        self.callback = callback


class ParameterEventCallbackHandle:
    """Stands for a callback about all events."""

    def __init__(self, callback):
        self.callback = callback


class Callbacks:
    """The callbacks of a handler; the newest comes first."""

    def __init__(self):
        self.event_callbacks = []
        self.parameter_callbacks = {}  # (parameter, node) -> handles
        self._lock = RLock()

    def event_callback(self, event):
        """Call whatever an event concerns."""
        with self._lock:
            for parameter in ParameterEventHandler.get_parameters_from_event(event):
                for handle in list(self.parameter_callbacks.get((parameter.name, event.node), [])):
                    handle.callback(parameter)
            for handle in list(self.event_callbacks):
                handle.callback(event)

    def add_parameter_event_callback(self, callback):
        handle = ParameterEventCallbackHandle(callback)
        with self._lock:
            self.event_callbacks.insert(0, handle)
        return handle

    def remove_parameter_event_callback(self, handle):
        with self._lock:
            _remove(self.event_callbacks, handle)

    def add_parameter_callback(self, parameter_name, node_name, callback):
        handle = ParameterCallbackHandle(parameter_name, node_name, callback)
        with self._lock:
            self.parameter_callbacks.setdefault((parameter_name, node_name), []).insert(0, handle)
        return handle

    def remove_parameter_callback(self, handle):
        key = handle.parameter_name, handle.node_name
        with self._lock:
            handles = self.parameter_callbacks.get(key, [])
            _remove(handles, handle)
            if not handles:
                del self.parameter_callbacks[key]


class ParameterEventHandler:
    """Listens to /parameter_events on behalf of a node."""

    def __init__(self, node, qos_profile=qos_profile_parameter_events, callback_group=None):
        self.node = node
        self._callbacks = Callbacks()
        self.parameter_event_subscription = node.create_subscription(
            ParameterEvent, '/parameter_events', self._callbacks.event_callback, qos_profile,
            callback_group=callback_group)

    def destroy(self):
        self.node.destroy_subscription(self.parameter_event_subscription)

    @staticmethod
    def get_parameter_from_event(event, parameter_name, node_name):
        """The message of a new or changed parameter in an event, or None."""
        if event.node != node_name:
            return None
        for parameter in [*event.new_parameters, *event.changed_parameters]:
            if parameter.name == parameter_name:
                return parameter
        return None

    @staticmethod
    def get_parameters_from_event(event):
        """Messages of all new and changed parameters of an event."""
        yield from event.new_parameters
        yield from event.changed_parameters

    def add_parameter_event_callback(self, callback):
        """Call callback(event) for every event of any node; gives a handle to remove it with."""
        return self._callbacks.add_parameter_event_callback(callback)

    def remove_parameter_event_callback(self, handle):
        """Undo it; RuntimeError where it is not known."""
        self._callbacks.remove_parameter_event_callback(handle)

    def add_parameter_callback(self, parameter_name, node_name, callback):
        """Call callback(parameter message) for every new value of one parameter of one node."""
        return self._callbacks.add_parameter_callback(
            parameter_name, self._resolve_path(node_name), callback)

    def remove_parameter_callback(self, handle):
        """Undo it; RuntimeError where it is not known."""
        self._callbacks.remove_parameter_callback(handle)

    def _resolve_path(self, node_path=None):
        """Full name of a node; a relative one is in the namespace of ours, none is ours."""
        if not node_path:
            return self.node.get_fully_qualified_name()
        if node_path.startswith('/'):
            return node_path
        return f'{self.node.get_namespace().rstrip("/")}/{node_path.lstrip("/")}'


def _remove(handles, handle):
    if handle not in handles:
        raise RuntimeError("Callback doesn't exist")
    handles.remove(handle)
