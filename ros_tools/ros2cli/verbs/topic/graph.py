"""What the graph knows of topics."""
from ros2cli.names import Kind, visible
from ros2cli.node import GraphNode

TOPICS = Kind('topic')
add_find_arguments, add_type_arguments = TOPICS.add_find_arguments, TOPICS.add_name_argument
run_find, run_type = TOPICS.find, TOPICS.type


def add_info_arguments(parser):
    TOPICS.add_name_argument(parser)
    parser.add_argument(
        '-v', '--verbose', action='store_true',
        help='Prints detailed information like the node name, node namespace, topic type, '
        'GUID and QoS Profile of the publishers and subscribers to this topic')


def run_info(args):
    with GraphNode(args) as node:
        types = TOPICS.types_of(node, args.name)
        if not types:
            return f"Unknown topic '{args.name}'"
        node.settle()
        end = '\n\n' if args.verbose else '\n'
        print('Type:', types[0] if len(types) == 1 else types, end=end)
        print('Publisher count:', node.count_publishers(args.name), end=end)
        if args.verbose:
            print_endpoints(node.get_publishers_info_by_topic(args.name))
        print('Subscription count:', node.count_subscribers(args.name), end=end)
        if args.verbose:
            print_endpoints(node.get_subscriptions_info_by_topic(args.name))
    return None


def print_endpoints(endpoints):
    """Each endpoint's description and an empty line."""
    for endpoint in endpoints:
        print(endpoint, end='\n\n')


def add_list_arguments(parser):
    TOPICS.add_list_arguments(parser)
    parser.add_argument('-v', '--verbose', action='store_true',
                        help='List full details about each topic')


def run_list(args):
    with GraphNode(args) as node:
        node.settle()
        if not args.verbose or args.count:
            TOPICS.list(args, node)
            return
        topics = visible(TOPICS.all(node), args.include_hidden)
        print_details('Published topics:', 'publisher', node.count_publishers, topics)
        print_details('Subscribed topics:', 'subscriber', node.count_subscribers, topics)


def print_details(heading, role, count_of, topics):
    """Topics with at least one endpoint of this role, with types and number of endpoints."""
    print(heading)
    for name, types in topics:
        count = count_of(name)
        if count:
            print(f' * {name} [{", ".join(types)}] {count} {role}{"s" if count > 1 else ""}')
    print()
