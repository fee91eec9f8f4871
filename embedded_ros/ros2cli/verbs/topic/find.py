"""Output a list of available topics of a given type."""
from ros2cli.names import get_topic_names_and_types
from ros2cli.node.strategy import NodeStrategy, add_arguments as add_strategy_arguments


def add_arguments(parser):
    add_strategy_arguments(parser)
    parser.add_argument(
        'topic_type', help="Name of the ROS topic type to filter for (e.g. 'std_msgs/msg/String')"
    )
    parser.add_argument('-c', '--count-topics', action='store_true',
                        help='Only display the number of topics discovered')
    parser.add_argument(
        '--include-hidden-topics', action='store_true', help='Consider hidden topics as well'
    )


def main(args):
    with NodeStrategy(args) as node:
        topics = get_topic_names_and_types(node, args.include_hidden_topics)
    found = [name for name, types in topics if args.topic_type in types]
    if args.count_topics:
        print(len(found))
    else:
        for name in found:
            print(name)
