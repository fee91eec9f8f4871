"""Load parameter file for a node."""
import sys

from rclpy.parameter import parameter_dict_from_yaml_file

from ros2cli.parameters import add_node_arguments, remote_node, set_parameters


def add_arguments(parser):
    add_node_arguments(parser)
    parser.add_argument('parameter_file', help='Parameter file')
    parser.add_argument('--no-use-wildcard', action='store_true',
                        help="Do not load parameters in the '/**' namespace into the node")


def main(args):
    with remote_node(args) as (node, name):
        try:
            parameters = parameter_dict_from_yaml_file(
                args.parameter_file, not args.no_use_wildcard, target_nodes=[name])
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
