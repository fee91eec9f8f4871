"""Output a list of available services of a given type."""
from ros2cli.names import get_service_names_and_types
from ros2cli.node.strategy import NodeStrategy, add_arguments as add_strategy_arguments


def add_arguments(parser):
    add_strategy_arguments(parser)
    parser.add_argument('service_type', help='Name of the ROS service type to filter for '
                        '(e.g. "rcl_interfaces/srv/ListParameters")')
    parser.add_argument('-c', '--count-services', action='store_true',
                        help='Only display the number of services discovered')
    parser.add_argument('--include-hidden-services', action='store_true',
                        help='Consider hidden services as well')


def main(args):
    with NodeStrategy(args) as node:
        services = get_service_names_and_types(node, args.include_hidden_services)
    found = [name for name, types in services if args.service_type in types]
    if args.count_services:
        print(len(found))
    else:
        for name in found:
            print(name)
