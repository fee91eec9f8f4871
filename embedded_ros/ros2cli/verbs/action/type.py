"""Print a action's type."""
from rclpy.action import get_action_names_and_types

from ros2cli.node.strategy import NodeStrategy, add_arguments as add_strategy_arguments


def add_arguments(parser):
    add_strategy_arguments(parser)
    parser.add_argument('action_name',
                        help="Name of the ROS action to get info (e.g. '/fibonacci')")


def main(args):
    with NodeStrategy(args) as node:
        types = node.find(lambda: dict(get_action_names_and_types(node)).get(args.action_name))
    if not types:
        return 1
    for name in types:
        print(name)
    return None
