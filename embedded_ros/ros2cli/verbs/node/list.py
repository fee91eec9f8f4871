"""Output a list of available nodes."""
import sys

from ros2cli.names import get_node_names
from ros2cli.node.strategy import NodeStrategy, add_arguments as add_strategy_arguments


def add_arguments(parser):
    add_strategy_arguments(parser)
    parser.add_argument(
        '-a', '--all', action='store_true', help='Display all nodes even hidden ones'
    )
    parser.add_argument('-c', '--count-nodes', action='store_true',
                        help='Only display the number of nodes discovered')


def main(args):
    with NodeStrategy(args) as node:
        names = sorted(name.full_name for name in get_node_names(node, include_hidden=args.all))
    if args.count_nodes:
        print(len(names))
        return
    if len(set(names)) < len(names):
        print(
            'WARNING: Be aware that there are nodes in the graph that share an exact name, '
            'which can have unintended side effects.',
            file=sys.stderr,
        )
    for name in names:
        print(name)
