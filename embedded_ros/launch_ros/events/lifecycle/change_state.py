"""A managed node is to change its state."""
from launch.event import Event


class ChangeState(Event):
    """Emitted to let the managed nodes that match go through a transition."""

    name = 'launch_ros.events.lifecycle.ChangeState'

    def __init__(self, *, lifecycle_node_matcher, transition_id):
        self.__matcher = lifecycle_node_matcher
        self.__transition_id = transition_id

    @property
    def lifecycle_node_matcher(self):
        return self.__matcher

    @property
    def transition_id(self):
        return self.__transition_id

    @property
    def transition_name(self):
        """The transition in words, such as TRANSITION_CONFIGURE."""
        from lifecycle_msgs.msg import Transition
        for name in ('CREATE', 'CONFIGURE', 'CLEANUP', 'ACTIVATE', 'DEACTIVATE',
                     'UNCONFIGURED_SHUTDOWN', 'INACTIVE_SHUTDOWN', 'ACTIVE_SHUTDOWN', 'DESTROY'):
            if getattr(Transition, 'TRANSITION_' + name) == self.__transition_id:
                return 'TRANSITION_' + name
        return str(self.__transition_id)
