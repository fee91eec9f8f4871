"""Output a list of available parameters."""
import re

from ros2cli.names import get_absolute_node_name, get_node_names
from ros2cli.node.strategy import NodeStrategy
from ros2cli.parameters import (
    TYPE_NAMES,
    add_node_arguments,
    get_parameter_types,
    list_parameters,
)


def add_arguments(parser):
    add_node_arguments(parser, optional=True)
    parser.add_argument('--param-prefixes', nargs='+', default=[],
                        help='Only list parameters with the provided prefixes')
    parser.add_argument(
        '--param-type', action='store_true', help='Print parameter types with parameter names'
    )
    parser.add_argument('--filter', help='Only list parameters that match the provided regex')


def main(args):
    with NodeStrategy(args) as strategy:
        node, wanted = strategy.node, get_absolute_node_name(args.node_name)
        names = [name.full_name for name in get_node_names(node, args.include_hidden_nodes)]
        if wanted and wanted not in names:
            return 'Node not found'
        for name in [wanted] if wanted else sorted(set(names)):
            if wanted:
                print_parameters(node, name, args)
            elif dict(node.get_service_names_and_types()).get(f'{name}/list_parameters'):
                print(f'{name}:')
                print_parameters(node, name, args)
    return None


def print_parameters(node, name, args):
    """Names of a node's parameters, two spaces in, with the type if asked for."""
    names = [parameter for parameter in list_parameters(node, name, args.param_prefixes)
             if not args.filter or re.search(args.filter, parameter)]
    types = get_parameter_types(node, name, names) if args.param_type else [None] * len(names)
    for parameter, kind in zip(names, types, strict=True):
        print(f'  {parameter}' if kind is None else f'  {parameter} (type: {TYPE_NAMES[kind]})')
