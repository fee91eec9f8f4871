"""Set parameter."""
import sys

from rcl_interfaces.msg import Parameter
from rclpy.parameter import get_parameter_value

from ros2cli.parameters import add_node_arguments, remote_node, set_parameters


def add_arguments(parser):
    add_node_arguments(parser)
    parser.add_argument('parameter_name', help='Name of the parameter')
    parser.add_argument('value', help='Value of the parameter')


def main(args):
    parameter = Parameter(name=args.parameter_name, value=get_parameter_value(args.value))
    with remote_node(args) as (node, name):
        result = set_parameters(node, name, [parameter])[0]
    reason = f': {result.reason}' if result.reason else ''
    if result.successful:
        print(f'Set parameter successful{reason}')
    else:
        print(f'Setting parameter failed{reason}', file=sys.stderr)
