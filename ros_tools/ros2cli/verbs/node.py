"""Various node related sub-commands."""
import sys

from ros2cli.names import get_absolute_node_name, get_node_names, visible
from ros2cli.node import GraphNode, add_arguments

VERBS = {
    'info': 'Output information about a node',
    'list': 'Output a list of available nodes',
}
ACTION_PART = '/_action/'


def add_list_arguments(parser):
    add_arguments(parser)
    parser.add_argument(
        '-a', '--all', action='store_true', help='Display all nodes even hidden ones'
    )
    parser.add_argument('-c', '--count-nodes', action='store_true',
                        help='Only display the number of nodes discovered')


def run_list(args):
    with GraphNode(args) as node:
        names = sorted(
            name.full_name for name in get_node_names(node.settle(), include_hidden=args.all))
    if args.count_nodes:
        print(len(names))
        return
    if len(set(names)) < len(names):
        print(
            'WARNING: Be aware that there are nodes in the graph that share an exact name, '
            'which can have unintended side effects.',
            file=sys.stderr,
        )
    for name in names:
        print(name)


def add_info_arguments(parser):
    add_arguments(parser)
    parser.add_argument('node_name', help='Node name to request information')
    parser.add_argument('--include-hidden', action='store_true',
                        help='Display hidden topics, services, and actions as well')


def run_info(args):
    wanted = get_absolute_node_name(args.node_name)
    with GraphNode(args) as node:
        found = node.find(lambda: [
            name for name in get_node_names(node, include_hidden=True) if name.full_name == wanted])
        if not found:
            return f"Unable to find node '{args.node_name}'"
        if len(found) > 1:
            print(f"There are {len(found)} nodes in the graph with the exact name '{wanted}'. "
                  'You are seeing information about only one of them.')
        node.settle()
        print(wanted)
        print_interfaces(node, found[0].name, found[0].namespace, args.include_hidden)
    return None


def print_interfaces(node, name, namespace, include_hidden):
    """All topics, services and actions of a node, under their headings."""
    subscribers = node.get_subscriber_names_and_types_by_node(name, namespace)
    publishers = node.get_publisher_names_and_types_by_node(name, namespace)
    servers = node.get_service_names_and_types_by_node(name, namespace)
    clients = node.get_client_names_and_types_by_node(name, namespace)
    for heading, items in (('Subscribers', subscribers), ('Publishers', publishers),
                           ('Service Servers', servers), ('Service Clients', clients)):
        print(f'  {heading}:')
        print_items(visible(items, include_hidden))
    for heading, services in (('Action Servers', servers), ('Action Clients', clients)):
        print(f'  {heading}:')
        print_items(visible(actions(services), include_hidden))


def actions(services):
    """[(action, types)] of the services that belong to actions."""
    goal = f'{ACTION_PART}send_goal'
    return [(name[:-len(goal)], [kind.removesuffix('_SendGoal') for kind in types])
            for name, types in services if name.endswith(goal)]


def print_items(items):
    """One indented line for each name with its types; an empty line if there is none."""
    print('\n'.join(f'    {name}: {", ".join(types)}' for name, types in items))
