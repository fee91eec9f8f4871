"""Lifecycle nodes: nodes that offer the services of managed nodes."""
from contextlib import contextmanager

from lifecycle_msgs.srv import ChangeState, GetAvailableTransitions, GetState

from ros2cli.names import get_absolute_node_name
from ros2cli.node.strategy import NodeStrategy
from ros2cli.services import call_service

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
    with NodeStrategy(args) as node:
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
