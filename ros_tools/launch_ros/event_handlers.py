"""React to transitions of managed nodes."""
from launch import EventHandler, LaunchDescriptionEntity

from .events.lifecycle import StateTransition


class OnStateTransition(EventHandler):
    """Visits entities when a managed node has gone through a transition.

    target_lifecycle_node: the node's action, or a predicate of actions;
    transition, start_state, goal_state: labels, None for any.
    """

    def __init__(self, *, entities, target_lifecycle_node=None, transition=None, start_state=None,
                 goal_state=None, **kwargs):
        if (isinstance(target_lifecycle_node, LaunchDescriptionEntity)
                and not getattr(target_lifecycle_node, 'is_lifecycle_node', False)):
            raise RuntimeError('OnStateTransition requires a "LifecycleNode" action as the target, '
                               f'got {target_lifecycle_node}')
        self.__target = target_lifecycle_node
        self.__wanted = {'transition': transition, 'start_state': start_state,
                         'goal_state': goal_state}
        super().__init__(matcher=self._is_meant, entities=entities, **kwargs)

    @property
    def handler_description(self):
        return '<actions>'

    @property
    def matcher_description(self):
        target = '' if self.__target is None else f' and event.action == {self.__target}'
        return f'event == StateTransition{target}'

    def _is_meant(self, event):
        if not isinstance(event, StateTransition):
            return False
        target = self.__target
        if isinstance(target, LaunchDescriptionEntity):
            meant = event.action is target
        else:
            meant = target is None or bool(target(event.action))
        return meant and all(wanted is None or getattr(event, name) == wanted
                             for name, wanted in self.__wanted.items())
