"""Get parameter."""
from rcl_interfaces.msg import ParameterType
from rclpy.parameter import parameter_value_to_python

from ros2cli.parameters import add_node_arguments, get_parameters, remote_node

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


def add_arguments(parser):
    add_node_arguments(parser)
    parser.add_argument('parameter_name', help='Name of the parameter')
    parser.add_argument('--hide-type', action='store_true', help='Hide the type information')


def main(args):
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
