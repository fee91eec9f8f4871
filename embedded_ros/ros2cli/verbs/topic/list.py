"""Output a list of available topics."""
from ros2cli.names import get_topic_names_and_types, print_names
from ros2cli.node.strategy import NodeStrategy, add_arguments as add_strategy_arguments


def add_arguments(parser):
    add_strategy_arguments(parser)
    parser.add_argument('-t', '--show-types', action='store_true',
                        help='Additionally show the topic type')
    parser.add_argument('-c', '--count-topics', action='store_true',
                        help='Only display the number of topics discovered')
    parser.add_argument(
        '--include-hidden-topics', action='store_true', help='Consider hidden topics as well'
    )
    parser.add_argument('-v', '--verbose', action='store_true',
                        help='List full details about each topic')


def main(args):
    with NodeStrategy(args) as node:
        topics = get_topic_names_and_types(node, args.include_hidden_topics)
        if args.count_topics:
            print(len(topics))
        elif args.verbose:
            print_details('Published topics:', 'publisher', node.count_publishers, topics)
            print_details('Subscribed topics:', 'subscriber', node.count_subscribers, topics)
        else:
            print_names(topics, args.show_types)


def print_details(heading, role, count_of, topics):
    """Topics with at least one endpoint of this role, with types and number of endpoints."""
    print(heading)
    for name, types in topics:
        count = count_of(name)
        if count:
            print(f' * {name} [{", ".join(types)}] {count} {role}{"s" if count > 1 else ""}')
    print()
