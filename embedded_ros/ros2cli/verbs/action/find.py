"""Find actions from type."""
from rclpy.action import get_action_names_and_types

from ros2cli.node.strategy import NodeStrategy, add_arguments as add_strategy_arguments


def add_arguments(parser):
    add_strategy_arguments(parser)
    parser.add_argument('action_type', help='Name of the ROS action type to filter for '
                        "(e.g. 'action_tutorials_interfaces/action/Fibonacci')")
    parser.add_argument('-c', '--count-actions', action='store_true',
                        help='Only display the number of actions discovered')


def main(args):
    with NodeStrategy(args) as node:
        actions = sorted(get_action_names_and_types(node))
    found = [name for name, types in actions if args.action_type in types]
    if args.count_actions:
        print(len(found))
    else:
        for name in found:
            print(name)
