"""Lead managed nodes through transitions."""
from contextlib import suppress
from itertools import zip_longest

from launch.action import Action
from launch.actions import EmitEvent, OpaqueFunction, RegisterEventHandler
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions

from ..event_handlers.on_state_transition import OnStateTransition
from ..events.lifecycle import ChangeState
from ..events.matchers import matches_node_name

GOALS = {1: 'inactive', 2: 'unconfigured', 3: 'active', 4: 'inactive',
         5: 'finalized', 6: 'finalized', 7: 'finalized'}


class LifecycleTransition(Action):
    """Sends managed nodes (by name) through transitions (by id), one after the other.

    When a node goes to its error state, its further transitions are left out.
    """

    def __init__(self, *, lifecycle_node_names, transition_ids, **kwargs):
        super().__init__(**kwargs)
        if len(transition_ids) == 0:
            raise ValueError('No transition_ids provided.')
        if len(lifecycle_node_names) == 0:
            raise ValueError('No lifecycle_node_names provided.')
        self.__names = [normalize_to_list_of_substitutions(name) for name in lifecycle_node_names]
        self.__transition_ids = [
            normalize_to_list_of_substitutions(str(number) if isinstance(number, int) else number)
            for number in transition_ids]

    def execute(self, context):
        """Return the handlers of all transitions, then the first transition of each node."""
        numbers = [self._number(context, parts) for parts in self.__transition_ids]
        handlers, first = [], []
        for parts in self.__names:
            matcher = matches_node_name(perform_substitutions(context, parts))
            changes = [EmitEvent(event=ChangeState(
                lifecycle_node_matcher=matcher, transition_id=number)) for number in numbers]
            own, reached = [], []
            for number, following in zip_longest(numbers, changes[1:]):
                own.append(in_turn(matcher, GOALS[number], len(own), reached,
                                   following or forget(own)))
            context.register_event_handler(OnStateTransition(
                target_lifecycle_node=matcher, goal_state='errorprocessing', handle_once=True,
                entities=[forget(own)]))
            handlers += [RegisterEventHandler(handler) for handler in own]
            first.append(changes[0])
        return handlers + first

    @staticmethod
    def _number(context, parts):
        text = perform_substitutions(context, parts)
        if not text.isdecimal() or int(text) not in GOALS:
            raise ValueError(f'expected integer for lifecycle transition, got {text}')
        return int(text)


def in_turn(node_matcher, goal, turn, reached, following):
    """Return a handler of a goal which reacts when that many goals have been reached before."""
    is_goal = OnStateTransition(
        target_lifecycle_node=node_matcher, goal_state=goal, entities=[]).matches
    return OnStateTransition(
        matcher=lambda event: len(reached) == turn and is_goal(event), handle_once=True,
        entities=[OpaqueFunction(function=lambda context: reached.append(goal)), following])


def forget(handlers):
    """Return an action that unregisters the handlers that are still registered."""
    def unregister(context):
        for handler in handlers:
            with suppress(ValueError):
                context.unregister_event_handler(handler)
    return OpaqueFunction(function=unregister)
