"""Lead managed nodes through transitions."""
from launch.action import Action
from launch.actions import EmitEvent, RegisterEventHandler
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions

from ..event_handlers.on_state_transition import OnStateTransition
from ..events.lifecycle import ChangeState
from ..events.matchers import matches_node_name

GOALS = {1: 'inactive', 2: 'unconfigured', 3: 'active', 4: 'inactive',
         5: 'finalized', 6: 'finalized', 7: 'finalized'}


class LifecycleTransition(Action):
    """Sends managed nodes (by name) through transitions (by id), one after the other."""

    def __init__(self, *, lifecycle_node_names, transition_ids, **kwargs):
        super().__init__(**kwargs)
        if len(lifecycle_node_names) == 0:
            raise ValueError('lifecycle_node_names must be a non-empty list')
        if len(transition_ids) == 0:
            raise ValueError('transition_ids must be a non-empty list')
        self.__names = [normalize_to_list_of_substitutions(name) for name in lifecycle_node_names]
        self.__transition_ids = [int(number) for number in transition_ids]

    def execute(self, context):
        entities = []
        for parts in self.__names:
            name = perform_substitutions(context, parts)
            matcher = matches_node_name(name if name.startswith('/') else '/' + name)
            changes = [EmitEvent(event=ChangeState(
                lifecycle_node_matcher=matcher, transition_id=number))
                for number in self.__transition_ids]
            for number, following in zip(self.__transition_ids, changes[1:], strict=False):
                entities.append(RegisterEventHandler(OnStateTransition(
                    target_lifecycle_node=matcher, goal_state=GOALS[number],
                    entities=[following], handle_once=True)))
            entities.append(changes[0])
        return entities
