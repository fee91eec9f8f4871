"""Delete parameter."""
import sys

from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue

from ros2cli.parameters import add_node_arguments, remote_node, set_parameters


def add_arguments(parser):
    add_node_arguments(parser)
    parser.add_argument('parameter_name', help='Name of the parameter')


def main(args):
    unset = ParameterValue(type=ParameterType.PARAMETER_NOT_SET)
    with remote_node(args) as (node, name):
        result = set_parameters(node, name, [Parameter(name=args.parameter_name, value=unset)])[0]
    reason = f': {result.reason}' if result.reason else ''
    if result.successful:
        print(f'Deleted parameter successfully{reason}')
    else:
        print(f'Deleting parameter failed{reason}', file=sys.stderr)
