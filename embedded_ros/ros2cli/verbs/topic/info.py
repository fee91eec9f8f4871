"""Print information about a topic."""
from ros2cli.names import get_topic_names_and_types
from ros2cli.node.strategy import NodeStrategy, add_arguments as add_strategy_arguments


def add_arguments(parser):
    add_strategy_arguments(parser)
    parser.add_argument('topic_name', help="Name of the ROS topic to get info (e.g. '/chatter')")
    parser.add_argument(
        '-v',
        '--verbose',
        action='store_true',
        help='Prints detailed information like the node name, node namespace, topic type, '
        'GUID and QoS Profile of the publishers and subscribers to this topic',
    )


def main(args):
    with NodeStrategy(args) as node:
        types = node.find(lambda: dict(
            get_topic_names_and_types(node, include_hidden=True)).get(args.topic_name))
        if not types:
            return f"Unknown topic '{args.topic_name}'"
        end = '\n\n' if args.verbose else '\n'
        print('Type:', types[0] if len(types) == 1 else types, end=end)
        print('Publisher count:', node.count_publishers(args.topic_name), end=end)
        if args.verbose:
            print_endpoints(node.get_publishers_info_by_topic(args.topic_name))
        print('Subscription count:', node.count_subscribers(args.topic_name), end=end)
        if args.verbose:
            print_endpoints(node.get_subscriptions_info_by_topic(args.topic_name))
    return None


def print_endpoints(endpoints):
    """Each endpoint's description and an empty line."""
    for endpoint in endpoints:
        print(endpoint, end='\n\n')
