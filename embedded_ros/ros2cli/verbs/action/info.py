"""Print information about an action."""
from rclpy.action import (
    get_action_client_names_and_types_by_node,
    get_action_server_names_and_types_by_node,
)

from ros2cli.names import get_node_names
from ros2cli.node.strategy import NodeStrategy, add_arguments as add_strategy_arguments


def add_arguments(parser):
    add_strategy_arguments(parser)
    parser.add_argument('action_name',
                        help="Name of the ROS action to get info (e.g. '/fibonacci')")
    parser.add_argument('-t', '--show-types', action='store_true',
                        help='Additionally show the action type')
    parser.add_argument('-c', '--count', action='store_true',
                        help='Only display the number of action clients and action servers')


def main(args):
    with NodeStrategy(args) as node:
        name = args.action_name
        clients = nodes_with_action(node, get_action_client_names_and_types_by_node, name)
        servers = nodes_with_action(node, get_action_server_names_and_types_by_node, name)
    print(f'Action: {args.action_name}')
    for heading, found in (('Action clients', clients), ('Action servers', servers)):
        print(f'{heading}: {len(found)}')
        for name, types in [] if args.count else found:
            print(f'    {name} [{", ".join(types)}]' if args.show_types else f'    {name}')


def nodes_with_action(node, actions_of_node, action):
    """[(full node name, types)] of the nodes that have this action."""
    found = []
    for name, namespace, full_name in get_node_names(node, include_hidden=True):
        types = dict(actions_of_node(node, name, namespace)).get(action)
        if types:
            found.append((full_name, types))
    return sorted(found)
