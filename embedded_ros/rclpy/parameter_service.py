"""The services through which other nodes see and set the parameters of a node."""
import weakref

from rcl_interfaces.msg import SetParametersResult
from rcl_interfaces.srv import (
    DescribeParameters,
    GetParameters,
    GetParameterTypes,
    ListParameters,
    SetParameters,
    SetParametersAtomically,
)

from rclpy.exceptions import ParameterNotDeclaredException, ParameterUninitializedException
from rclpy.parameter import Parameter
from rclpy.qos import qos_profile_parameters
from rclpy.validate_topic_name import TOPIC_SEPARATOR_STRING


class ParameterService:
    """Offers ~/get_parameters, ~/set_parameters and so on for a node."""

    def __init__(self, node):
        self._node_weak_ref = weakref.ref(node)
        for kind, name, callback in (
                (DescribeParameters, 'describe_parameters', self._describe_parameters_callback),
                (GetParameters, 'get_parameters', self._get_parameters_callback),
                (GetParameterTypes, 'get_parameter_types', self._get_parameter_types_callback),
                (ListParameters, 'list_parameters', self._list_parameters_callback),
                (SetParameters, 'set_parameters', self._set_parameters_callback),
                (SetParametersAtomically, 'set_parameters_atomically',
                 self._set_parameters_atomically_callback)):
            full_name = '~' + TOPIC_SEPARATOR_STRING + name
            node.create_service(kind, full_name, callback, qos_profile=qos_profile_parameters)

    def _get_node(self):
        node = self._node_weak_ref()
        if node is None:
            raise ReferenceError('Expected valid node weak reference')
        return node

    def _describe_parameters_callback(self, request, response):
        node = self._get_node()
        try:
            response.descriptors = node.describe_parameters(request.names)
        except ParameterNotDeclaredException as error:
            node.get_logger().warning(f'Failed to describe parameters: {error}')
        return response

    def _get_parameters_callback(self, request, response):
        """One name that cannot be read makes the whole answer empty."""
        node = self._get_node()
        try:
            parameters = node.get_parameters(request.names)
        except (ParameterNotDeclaredException, ParameterUninitializedException) as error:
            node.get_logger().warning(f'Failed to get parameters: {error}')
            return response
        response.values = [parameter.get_parameter_value() for parameter in parameters]
        return response

    def _get_parameter_types_callback(self, request, response):
        node = self._get_node()
        try:
            response.types = [node.get_parameter_type(name) for name in request.names]
        except ParameterNotDeclaredException as error:
            node.get_logger().warning(f'Failed to get parameter types: {error}')
        return response

    def _list_parameters_callback(self, request, response):
        node = self._get_node()
        try:
            response.result = node.list_parameters(request.prefixes, request.depth)
        except (TypeError, ValueError) as error:
            node.get_logger().warning(f'Failed to list parameters: {error}')
        return response

    def _set_parameters_callback(self, request, response):
        node = self._get_node()
        response.results = [self._set(node, [message]) for message in request.parameters]
        return response

    def _set_parameters_atomically_callback(self, request, response):
        response.result = self._set(self._get_node(), request.parameters)
        return response

    @staticmethod
    def _set(node, messages):
        try:
            return node.set_parameters_atomically(
                [Parameter.from_parameter_msg(message) for message in messages])
        except (ParameterNotDeclaredException, RuntimeError) as error:
            return SetParametersResult(successful=False, reason=str(error))
