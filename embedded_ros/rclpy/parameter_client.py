"""The parameters of other nodes."""
import time

from rcl_interfaces.msg import Parameter as ParameterMsg, ParameterEvent
from rcl_interfaces.srv import (
    DescribeParameters,
    GetParameters,
    GetParameterTypes,
    ListParameters,
    SetParameters,
    SetParametersAtomically,
)

from rclpy.parameter import Parameter, parameter_dict_from_yaml_file
from rclpy.qos import qos_profile_parameter_events, qos_profile_services_default
from rclpy.validate_topic_name import TOPIC_SEPARATOR_STRING


class AsyncParameterClient:
    """Reads and sets the parameters of a node; all methods give futures of the responses."""

    def __init__(self, node, remote_node_name, qos_profile=qos_profile_services_default,
                 callback_group=None):
        self.remote_node_name = remote_node_name
        self.node = node

        def client(kind, name):
            return node.create_client(
                kind, f'{remote_node_name}{TOPIC_SEPARATOR_STRING}{name}',
                qos_profile=qos_profile, callback_group=callback_group)

        self._get_parameter_client = client(GetParameters, 'get_parameters')
        self._list_parameter_client = client(ListParameters, 'list_parameters')
        self._set_parameter_client = client(SetParameters, 'set_parameters')
        self._get_parameter_types_client = client(GetParameterTypes, 'get_parameter_types')
        self._describe_parameters_client = client(DescribeParameters, 'describe_parameters')
        self._set_parameters_atomically_client = client(
            SetParametersAtomically, 'set_parameters_atomically')
        self._clients = [
            self._get_parameter_client, self._list_parameter_client, self._set_parameter_client,
            self._get_parameter_types_client, self._describe_parameters_client,
            self._set_parameters_atomically_client]

    def services_are_ready(self):
        """Whether all parameter services of the node are there."""
        return all(client.service_is_ready() for client in self._clients)

    def wait_for_services(self, timeout_sec=None):
        """Wait until all services are there; False where that takes longer [s]."""
        end = None if timeout_sec is None else time.monotonic() + timeout_sec
        for client in self._clients:
            remaining = None if end is None else max(0.0, end - time.monotonic())
            if not client.wait_for_service(remaining):
                return False
        return True

    def get_parameters(self, names, callback=None):
        return self._call(self._get_parameter_client, GetParameters.Request(names=names), callback)

    def set_parameters(self, parameters, callback=None):
        """Set Parameters (or messages of them), each by itself."""
        request = SetParameters.Request(parameters=_messages(parameters))
        return self._call(self._set_parameter_client, request, callback)

    def set_parameters_atomically(self, parameters, callback=None):
        request = SetParametersAtomically.Request(parameters=_messages(parameters))
        return self._call(self._set_parameters_atomically_client, request, callback)

    def list_parameters(self, prefixes=None, depth=None, callback=None):
        request = ListParameters.Request()
        if prefixes:
            request.prefixes = prefixes
        if depth:
            request.depth = depth
        return self._call(self._list_parameter_client, request, callback)

    def describe_parameters(self, names, callback=None):
        return self._call(
            self._describe_parameters_client, DescribeParameters.Request(names=names), callback)

    def get_parameter_types(self, names, callback=None):
        return self._call(
            self._get_parameter_types_client, GetParameterTypes.Request(names=names), callback)

    def delete_parameters(self, names, callback=None):
        """Unset parameters; nodes refuse to unset one of a fixed type."""
        return self.set_parameters([Parameter(name) for name in names], callback)

    def load_parameter_file(self, parameter_file, use_wildcard=False, callback=None):
        """Set all parameters of a file, of whichever node (use_wildcard: of '/**' too)."""
        parameters = parameter_dict_from_yaml_file(parameter_file, use_wildcard)
        return self.set_parameters(list(parameters.values()), callback)

    def load_parameter_file_atomically(self, parameter_file, use_wildcard=False, callback=None):
        parameters = parameter_dict_from_yaml_file(parameter_file, use_wildcard)
        return self.set_parameters_atomically(list(parameters.values()), callback)

    def on_parameter_event(self, callback, qos_profile=qos_profile_parameter_events, *,
                           callback_group=None, event_callbacks=None,
                           qos_overriding_options=None, raw=False):
        """Subscribe to the changes of parameters, of any node; gives the Subscription."""
        return self.node.create_subscription(
            ParameterEvent, '/parameter_events', callback, qos_profile,
            callback_group=callback_group, event_callbacks=event_callbacks,
            qos_overriding_options=qos_overriding_options, raw=raw)

    @staticmethod
    def _call(client, request, callback):
        future = client.call_async(request)
        if callback:
            future.add_done_callback(callback)
        return future


def _messages(parameters):
    return [parameter if isinstance(parameter, ParameterMsg) else parameter.to_parameter_msg()
            for parameter in parameters]
