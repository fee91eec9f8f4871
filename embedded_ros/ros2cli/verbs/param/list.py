"""Output a list of available parameters."""
import re

from ros2cli.names import get_node_names
from ros2cli.node.strategy import NodeStrategy
from ros2cli.parameters import (
    TYPE_NAMES,
    add_node_arguments,
    get_parameter_types,
    list_parameters,
    remote_node,
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
    if args.node_name:
        with remote_node(args) as (node, name):
            print_parameters(node, name, args)
        return
    with NodeStrategy(args) as strategy:
        node = strategy.node
        services = dict(node.get_service_names_and_types())
        known = get_node_names(node, args.include_hidden_nodes)
        for name in sorted({other.full_name for other in known}):
            if f'{name}/list_parameters' in services:
                print(f'{name}:')
                print_parameters(node, name, args)


def print_parameters(node, name, args):
    """Names of a node's parameters, two spaces in, with the type if asked for."""
    names = [parameter for parameter in list_parameters(node, name, args.param_prefixes)
             if not args.filter or re.search(args.filter, parameter)]
    types = get_parameter_types(node, name, names) if args.param_type else [None] * len(names)
    for parameter, kind in zip(names, types, strict=True):
        print(f'  {parameter}' if kind is None else f'  {parameter} (type: {TYPE_NAMES[kind]})')
