"""Output a service's type."""
from ros2cli.names import get_service_names_and_types
from ros2cli.node.strategy import NodeStrategy, add_arguments as add_strategy_arguments


def add_arguments(parser):
    add_strategy_arguments(parser)
    parser.add_argument(
        'service_name', help='Name of the ROS service to get type (e.g. "/talker/list_parameters")'
    )


def main(args):
    with NodeStrategy(args) as node:
        types = node.find(lambda: dict(
            get_service_names_and_types(node, include_hidden=True)).get(args.service_name))
    if not types:
        return 1
    for name in types:
        print(name)
    return None
