"""Output a list of nodes with lifecycle."""
from ros2cli.lifecycle import lifecycle_nodes
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
        names = lifecycle_nodes(node, args.all)
    if args.count_nodes:
        print(len(names))
        return
    for name in names:
        print(name)
