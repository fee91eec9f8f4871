"""Various param related sub-commands."""
from contextlib import contextmanager
import sys

from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue, SetParametersResult
from rcl_interfaces.srv import (
    DescribeParameters,
    GetParameters,
    GetParameterTypes,
    ListParameters,
    SetParameters,
)
from rclpy.parameter import (
    get_parameter_value,
    parameter_dict_from_yaml_file,
    parameter_value_to_python,
)
import yaml

from ros2cli.names import get_absolute_node_name, get_node_names
from ros2cli.node import GraphNode, add_arguments
from ros2cli.verbs.service import call_service

VERBS = {
    'delete': 'Delete parameter',
    'describe': 'Show descriptive information about declared parameters',
    'dump': 'Show all of the parameters of a node in a YAML file format',
    'get': 'Get parameter',
    'list': 'Output a list of available parameters',
    'load': 'Load parameter file for a node',
    'set': 'Set parameter',
}
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
LABELS = {
    ParameterType.PARAMETER_BOOL: 'Boolean value is:',
    ParameterType.PARAMETER_INTEGER: 'Integer value is:',
    ParameterType.PARAMETER_DOUBLE: 'Double value is:',
    ParameterType.PARAMETER_STRING: 'String value is:',
    ParameterType.PARAMETER_BYTE_ARRAY: 'Byte values are:',
    ParameterType.PARAMETER_BOOL_ARRAY: 'Boolean values are:',
    ParameterType.PARAMETER_INTEGER_ARRAY: 'Integer values are:',
    ParameterType.PARAMETER_DOUBLE_ARRAY: 'Double values are:',
    ParameterType.PARAMETER_STRING_ARRAY: 'String values are:',
}


def add_node_arguments(parser, optional=False):
    """Add the name of the node and the options of the command's own node."""
    add_arguments(parser)
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
    with GraphNode(args) as node:
        name = get_absolute_node_name(args.node_name)
        if not node.find(lambda: is_there(node, name, args.include_hidden_nodes)):
            raise RuntimeError('Node not found')
        yield node.node, name


def list_parameters(node, name):
    """Sorted names of a node's parameters."""
    request = ListParameters.Request()
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


def set_parameter(node, name, parameter):
    """SetParametersResult of one parameter; a refusal as well where the node does not answer."""
    try:
        results = set_parameters(node, name, [parameter])
    except RuntimeError as error:
        return SetParametersResult(reason=str(error))
    return results[0] if results else SetParametersResult(reason='the node gives no result')


def add_delete_arguments(parser):
    add_node_arguments(parser)
    parser.add_argument('parameter_name', help='Name of the parameter')


def run_delete(args):
    unset = ParameterValue(type=ParameterType.PARAMETER_NOT_SET)
    with remote_node(args) as (node, name):
        result = set_parameter(node, name, Parameter(name=args.parameter_name, value=unset))
    reason = f': {result.reason}' if result.reason else ''
    if result.successful:
        print(f'Deleted parameter successfully{reason}')
    else:
        print(f'Deleting parameter failed{reason}', file=sys.stderr)


def add_describe_arguments(parser):
    add_node_arguments(parser)
    parser.add_argument('parameter_names', nargs='+', help='Names of the parameters')


def run_describe(args):
    with remote_node(args) as (node, name):
        descriptors = describe_parameters(node, name, args.parameter_names)
    if not descriptors:
        return f"Parameter not set: {', '.join(args.parameter_names)}"
    for descriptor in descriptors:
        print_descriptor(descriptor)
    return None


def print_descriptor(descriptor):
    """Name, type, description and constraints of a parameter."""
    print('Parameter name:', descriptor.name)
    print('  Type:', TYPE_NAMES[descriptor.type])
    if descriptor.description:
        print('  Description:', descriptor.description)
    print('  Constraints:')
    if descriptor.read_only:
        print('    Read only: true')
    for limits in (*descriptor.integer_range, *descriptor.floating_point_range):
        print('    Min value:', limits.from_value)
        print('    Max value:', limits.to_value)
        if limits.step:
            print('    Step:', limits.step)
    if descriptor.additional_constraints:
        print('    Additional constraints:', descriptor.additional_constraints)


def add_dump_arguments(parser):
    add_node_arguments(parser)


def run_dump(args):
    with remote_node(args) as (node, name):
        names = list_parameters(node, name)
        types = get_parameter_types(node, name, names)
        # One without a value would leave all others without an answer.
        names = [one for one, kind in zip(names, types, strict=False)
                 if kind != ParameterType.PARAMETER_NOT_SET]
        values = get_parameters(node, name, names)
    tree = {}
    for parameter, value in zip(names, values, strict=False):
        insert(tree, parameter, plain(parameter_value_to_python(value)))
    print(yaml.dump({name: {'ros__parameters': tree}}, default_flow_style=False), end='')


def insert(tree, name, value):
    """Put a value where its dotted name leads; below a name with a value, keep the dots."""
    head, dot, rest = name.partition('.')
    if dot and isinstance(tree.setdefault(head, {}), dict):
        insert(tree[head], rest, value)
    else:
        tree[name] = value


def plain(value):
    """Lists for arrays, numbers for bytes; all that YAML can write."""
    if isinstance(value, bytes):
        return value[0]
    if isinstance(value, str) or not hasattr(value, '__iter__'):
        return value
    return [plain(item) for item in value]


def add_get_arguments(parser):
    add_node_arguments(parser)
    parser.add_argument('parameter_name', help='Name of the parameter')
    parser.add_argument('--hide-type', action='store_true', help='Hide the type information')


def run_get(args):
    with remote_node(args) as (node, name):
        values = get_parameters(node, name, [args.parameter_name])
    if not values or values[0].type == ParameterType.PARAMETER_NOT_SET:
        return 'Parameter not set'
    value = parameter_value_to_python(values[0])
    if args.hide_type:
        print(value)
    else:
        print(LABELS[values[0].type], value)
    return None


def add_list_arguments(parser):
    add_node_arguments(parser, optional=True)


def run_list(args):
    if args.node_name:
        with remote_node(args) as (node, name):
            print_parameters(node, name)
        return
    with GraphNode(args) as found:
        node = found.settle().node
        services = dict(node.get_service_names_and_types())
        known = get_node_names(node, args.include_hidden_nodes)
        for name in sorted({other.full_name for other in known}):
            if f'{name}/list_parameters' in services:
                print(f'{name}:')
                print_parameters(node, name)


def print_parameters(node, name):
    """Names of a node's parameters, two spaces in."""
    for parameter in list_parameters(node, name):
        print(f'  {parameter}')


def add_load_arguments(parser):
    add_node_arguments(parser)
    parser.add_argument('parameter_file', help='Parameter file')


def run_load(args):
    with remote_node(args) as (node, name):
        try:
            parameters = parameter_dict_from_yaml_file(
                args.parameter_file, use_wildcard=True, target_nodes=[name])
        except (OSError, RuntimeError) as error:
            return str(error)
        results = set_parameters(node, name, list(parameters.values()))
    for parameter, result in zip(parameters, results, strict=True):
        reason = f': {result.reason}' if result.reason else ''
        if result.successful:
            print(f'Set parameter {parameter} successful{reason}')
        else:
            print(f'Set parameter {parameter} failed{reason}', file=sys.stderr)
    return None


def add_set_arguments(parser):
    add_node_arguments(parser)
    parser.add_argument('parameter_name', help='Name of the parameter')
    parser.add_argument('value', help='Value of the parameter')


def run_set(args):
    parameter = Parameter(name=args.parameter_name, value=get_parameter_value(args.value))
    with remote_node(args) as (node, name):
        result = set_parameter(node, name, parameter)
    reason = f': {result.reason}' if result.reason else ''
    if result.successful:
        print(f'Set parameter successful{reason}')
    else:
        print(f'Setting parameter failed{reason}', file=sys.stderr)
