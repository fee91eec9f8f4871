"""Various lifecycle related sub-commands, for nodes that offer the services of managed nodes."""
from contextlib import contextmanager

from lifecycle_msgs.srv import ChangeState, GetAvailableTransitions, GetState

from ros2cli.names import get_absolute_node_name
from ros2cli.node import GraphNode
from ros2cli.verbs.node import add_list_arguments as add_listing_arguments
from ros2cli.verbs.param import add_node_arguments
from ros2cli.verbs.service import call_service

VERBS = {
    'get': 'Get lifecycle state for one or more nodes',
    'list': 'Output a list of available transitions',
    'nodes': 'Output a list of nodes with lifecycle',
    'set': 'Trigger lifecycle state transition',
}
STATE_TYPE = 'lifecycle_msgs/srv/GetState'


def lifecycle_nodes(node, include_hidden=False):
    """Sorted full names of all lifecycle nodes."""
    names = (
        service.removesuffix('/get_state')
        for service, types in node.get_service_names_and_types()
        if STATE_TYPE in types and service.endswith('/get_state')
    )
    return sorted(name for name in names
                  if include_hidden or not name.rpartition('/')[2].startswith('_'))


@contextmanager
def managed_node(args):
    """(own node, name of the lifecycle node asked for).  Raises RuntimeError if it is not one."""
    with GraphNode(args) as node:
        name = get_absolute_node_name(args.node_name)
        if not node.find(lambda: name in lifecycle_nodes(node, args.include_hidden_nodes)):
            raise RuntimeError('Node not found')
        yield node.node, name


def get_state(node, name):
    """Current state of a lifecycle node."""
    return call_service(node, GetState, f'{name}/get_state', GetState.Request()).current_state


def available_transitions(node, name):
    """Transitions (with start and goal state) that are possible now."""
    return call_service(node, GetAvailableTransitions, f'{name}/get_available_transitions',
                        GetAvailableTransitions.Request()).available_transitions


def change_state(node, name, transition):
    """Trigger a transition; whether it was successful."""
    request = ChangeState.Request()
    request.transition = transition
    return call_service(node, ChangeState, f'{name}/change_state', request).success


def add_get_arguments(parser):
    add_node_arguments(parser, optional=True)


def run_get(args):
    if args.node_name:
        with managed_node(args) as (node, name):
            state = get_state(node, name)
        print(f'{state.label} [{state.id}]')
        return
    with GraphNode(args) as strategy:
        for name in lifecycle_nodes(strategy.settle(), args.include_hidden_nodes):
            state = get_state(strategy.node, name)
            print(f'{name}: {state.label} [{state.id}]')


def add_list_arguments(parser):
    add_node_arguments(parser)


def run_list(args):
    with managed_node(args) as (node, name):
        for item in available_transitions(node, name):
            print(f'- {item.transition.label} [{item.transition.id}]\n'
                  f'\tStart: {item.start_state.label}\n\tGoal: {item.goal_state.label}')


add_nodes_arguments = add_listing_arguments


def run_nodes(args):
    with GraphNode(args) as node:
        names = lifecycle_nodes(node.settle(), args.all)
    if args.count_nodes:
        print(len(names))
        return
    for name in names:
        print(name)


def add_set_arguments(parser):
    add_node_arguments(parser)
    parser.add_argument('transition', help='The lifecycle transition (label or id)')


def run_set(args):
    with managed_node(args) as (node, name):
        transitions = [item.transition for item in available_transitions(node, name)]
        for transition in transitions:
            if args.transition in (transition.label, str(transition.id)):
                done = change_state(node, name, transition)
                break
        else:
            known = '\n'.join(
                f'- {transition.label} [{transition.id}]' for transition in transitions
            )
            return f'Unknown transition requested, available ones are:\n{known}'
    if not done:
        return 'Transitioning failed'
    print('Transitioning successful')
    return None
