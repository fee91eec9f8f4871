"""Parameters of another node, through its parameter services."""
from contextlib import contextmanager

from rcl_interfaces.msg import ParameterType
from rcl_interfaces.srv import (
    DescribeParameters,
    GetParameters,
    GetParameterTypes,
    ListParameters,
    SetParameters,
)

from ros2cli.names import get_absolute_node_name, get_node_names
from ros2cli.node.strategy import NodeStrategy, add_arguments as add_strategy_arguments
from ros2cli.services import call_service

TYPE_NAMES = {      # ParameterType -> name of the type
    ParameterType.PARAMETER_NOT_SET: 'not set',
    ParameterType.PARAMETER_BOOL: 'boolean',
    ParameterType.PARAMETER_INTEGER: 'integer',
    ParameterType.PARAMETER_DOUBLE: 'double',
    ParameterType.PARAMETER_STRING: 'string',
    ParameterType.PARAMETER_BYTE_ARRAY: 'byte array',
    ParameterType.PARAMETER_BOOL_ARRAY: 'boolean array',
    ParameterType.PARAMETER_INTEGER_ARRAY: 'integer array',
    ParameterType.PARAMETER_DOUBLE_ARRAY: 'double array',
    ParameterType.PARAMETER_STRING_ARRAY: 'string array',
}


def add_node_arguments(parser, optional=False):
    """Add the name of the node and the options of the command's own node."""
    add_strategy_arguments(parser)
    parser.add_argument('node_name', nargs='?' if optional else None,
                        help='Name of the ROS node')
    parser.add_argument(
        '--include-hidden-nodes', action='store_true', help='Consider hidden nodes as well'
    )


def is_there(node, name, include_hidden):
    """Whether a node of this full name is in the graph."""
    return name in {other.full_name for other in get_node_names(node, include_hidden)}


@contextmanager
def remote_node(args):
    """(own node, name of the node asked for).  Raises RuntimeError if there is no such node."""
    with NodeStrategy(args) as node:
        name = get_absolute_node_name(args.node_name)
        if not node.find(lambda: is_there(node, name, args.include_hidden_nodes)):
            raise RuntimeError('Node not found')
        yield node.node, name


def list_parameters(node, name, prefixes=()):
    """Sorted names of a node's parameters."""
    request = ListParameters.Request(prefixes=list(prefixes))
    return sorted(
        call_service(node, ListParameters, f'{name}/list_parameters', request).result.names
    )


def get_parameters(node, name, parameters):
    """ParameterValues, in order; none at all if a parameter is not declared."""
    request = GetParameters.Request(names=parameters)
    return call_service(node, GetParameters, f'{name}/get_parameters', request).values


def get_parameter_types(node, name, parameters):
    """ParameterType of each parameter."""
    request = GetParameterTypes.Request(names=parameters)
    return list(call_service(node, GetParameterTypes, f'{name}/get_parameter_types', request).types)


def describe_parameters(node, name, parameters):
    """ParameterDescriptors, in order; none at all if a parameter is not declared."""
    request = DescribeParameters.Request(names=parameters)
    return call_service(
        node, DescribeParameters, f'{name}/describe_parameters', request
    ).descriptors


def set_parameters(node, name, parameters):
    """SetParametersResult of each rcl_interfaces/msg/Parameter, set one by one."""
    request = SetParameters.Request(parameters=parameters)
    return call_service(node, SetParameters, f'{name}/set_parameters', request).results
