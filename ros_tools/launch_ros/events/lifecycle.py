"""Events of managed nodes."""
from launch import Event


class ChangeState(Event):
    """Emitted to let the managed nodes that match go through a transition."""

    name = 'launch_ros.events.lifecycle.ChangeState'

    def __init__(self, *, lifecycle_node_matcher, transition_id):
        self.lifecycle_node_matcher = lifecycle_node_matcher
        self.transition_id = transition_id


class StateTransition(Event):
    """Emitted when a managed node has announced a transition; msg: a TransitionEvent."""

    name = 'launch_ros.events.lifecycle.StateTransition'

    def __init__(self, *, action, msg):
        self.action = action
        self.msg = msg
        self.transition = msg.transition.label
        self.start_state, self.goal_state = msg.start_state.label, msg.goal_state.label


def matches_node_name(node_name):
    """Return a predicate: whether a Node action has this fully qualified name."""
    wanted = node_name if node_name.startswith('/') else '/' + node_name
    return lambda action: getattr(action, 'node_name', None) == wanted
