"""Print a topic's type."""
from ros2cli.names import get_topic_names_and_types
from ros2cli.node.strategy import NodeStrategy, add_arguments as add_strategy_arguments


def add_arguments(parser):
    add_strategy_arguments(parser)
    parser.add_argument('topic_name', help="Name of the ROS topic to get type (e.g. '/chatter')")


def main(args):
    with NodeStrategy(args) as node:
        types = node.find(lambda: dict(
            get_topic_names_and_types(node, include_hidden=True)).get(args.topic_name))
    if not types:
        return 1
    for name in types:
        print(name)
    return None
