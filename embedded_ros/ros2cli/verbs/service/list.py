"""Output a list of available services."""
from ros2cli.names import get_service_names_and_types, print_names
from ros2cli.node.strategy import NodeStrategy, add_arguments as add_strategy_arguments


def add_arguments(parser):
    add_strategy_arguments(parser)
    parser.add_argument('-t', '--show-types', action='store_true',
                        help='Additionally show the service type')
    parser.add_argument('-c', '--count-services', action='store_true',
                        help='Only display the number of services discovered')
    parser.add_argument('--include-hidden-services', action='store_true',
                        help='Consider hidden services as well')


def main(args):
    with NodeStrategy(args) as node:
        services = get_service_names_and_types(node, args.include_hidden_services)
    if args.count_services:
        print(len(services))
    else:
        print_names(services, args.show_types)
