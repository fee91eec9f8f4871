"""Output a list of action names."""
from rclpy.action import get_action_names_and_types

from ros2cli.names import print_names
from ros2cli.node.strategy import NodeStrategy, add_arguments as add_strategy_arguments


def add_arguments(parser):
    add_strategy_arguments(parser)
    parser.add_argument('-t', '--show-types', action='store_true',
                        help='Additionally show the action type')
    parser.add_argument('-c', '--count-actions', action='store_true',
                        help='Only display the number of actions discovered')


def main(args):
    with NodeStrategy(args) as node:
        actions = sorted(get_action_names_and_types(node))
    if args.count_actions:
        print(len(actions))
    else:
        print_names(actions, args.show_types)
