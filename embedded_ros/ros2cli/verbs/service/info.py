"""Print information about a service."""
from ros2cli.names import get_service_names_and_types
from ros2cli.node.strategy import NodeStrategy, add_arguments as add_strategy_arguments


def add_arguments(parser):
    add_strategy_arguments(parser)
    parser.add_argument(
        'service_name', help="Name of the ROS service to get info (e.g. '/add_two_ints')"
    )


def main(args):
    with NodeStrategy(args) as node:
        types = node.find(lambda: dict(
            get_service_names_and_types(node, include_hidden=True)).get(args.service_name))
        if not types:
            return f"Unknown service '{args.service_name}'"
        print('Type:', types[0] if len(types) == 1 else types)
        print('Clients count:', node.count_clients(args.service_name))
        print('Services count:', node.count_services(args.service_name))
    return None
