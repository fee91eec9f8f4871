"""States and transitions of managed nodes, numbered and named as in lifecycle_msgs."""
from enum import Enum
from typing import NamedTuple

from rclpy.impl.errors import RCLError


class TransitionCallbackReturn(Enum):
    """What the callback of a transition says of it."""

    SUCCESS = 97
    FAILURE = 98
    ERROR = 99

    def to_label(self):
        """Label of the transition that follows: 'transition_success'..."""
        return f'transition_{self.name.lower()}'


class LifecycleState(NamedTuple):
    """Name and number of a state."""

    label: str
    state_id: int


class Transition(NamedTuple):
    """A way from one state to another."""

    id: int
    label: str
    start: LifecycleState
    goal: LifecycleState


STATES = {label: LifecycleState(label, number) for label, number in (
    ('unknown', 0), ('unconfigured', 1), ('inactive', 2), ('active', 3), ('finalized', 4),
    ('configuring', 10), ('cleaningup', 11), ('shuttingdown', 12), ('activating', 13),
    ('deactivating', 14), ('errorprocessing', 15))}

_REQUESTS = (  # number, label, state before, state while its callback runs
    (1, 'configure', 'unconfigured', 'configuring'), (2, 'cleanup', 'inactive', 'cleaningup'),
    (3, 'activate', 'inactive', 'activating'), (4, 'deactivate', 'active', 'deactivating'),
    (5, 'shutdown', 'unconfigured', 'shuttingdown'), (6, 'shutdown', 'inactive', 'shuttingdown'),
    (7, 'shutdown', 'active', 'shuttingdown'))

_OUTCOMES = (  # first number, state while the callback runs, then after success, failure, error
    (10, 'configuring', 'inactive', 'unconfigured', 'errorprocessing'),
    (20, 'cleaningup', 'unconfigured', 'inactive', 'errorprocessing'),
    (30, 'activating', 'active', 'inactive', 'errorprocessing'),
    (40, 'deactivating', 'inactive', 'active', 'errorprocessing'),
    (50, 'shuttingdown', 'finalized', 'finalized', 'errorprocessing'),
    (60, 'errorprocessing', 'unconfigured', 'finalized', 'finalized'))


def _transitions():
    for number, label, start, goal in _REQUESTS:
        yield Transition(number, label, STATES[start], STATES[goal])
    for number, start, *goals in _OUTCOMES:
        for offset, (outcome, goal) in enumerate(zip(TransitionCallbackReturn, goals, strict=True)):
            yield Transition(number + offset, outcome.to_label(), STATES[start], STATES[goal])


TRANSITIONS = tuple(_transitions())


class StateMachine:
    """The state a node is in; on_transition(Transition) is called at each step."""

    service_change_state = service_get_state = service_get_available_states = None
    service_get_available_transitions = service_get_transition_graph = None

    def __init__(self, on_transition):
        self.state = STATES['unconfigured']
        self._on_transition = on_transition

    @property
    def current_state(self):
        """Number and label of the state."""
        return self.state.state_id, self.state.label

    @property
    def possible(self):
        """Transitions from the present state."""
        return [transition for transition in TRANSITIONS if transition.start == self.state]

    # What the state machine of rclpy's C extension offers

    @property
    def initialized(self):
        return True

    @property
    def available_states(self):
        """Number and label of every state."""
        return [(state.state_id, state.label) for state in STATES.values()]

    @property
    def available_transitions(self):
        """Numbers and labels of the transitions from the present state, and of their ends."""
        return [_numbers_and_labels(transition) for transition in self.possible]

    @property
    def transition_graph(self):
        """Numbers and labels of all transitions, and of the states they begin and end with."""
        return [_numbers_and_labels(transition) for transition in TRANSITIONS]

    def get_transition_by_label(self, label):
        return self.find(label)

    def trigger_transition_by_id(self, transition_id, publish_update):
        self.step(transition_id, publish_update)

    def trigger_transition_by_label(self, label, publish_update):
        self.step(self.find(label), publish_update)

    def find(self, label):
        """Number of the transition of this label from here; RCLError if there is none."""
        for transition in self.possible:
            if transition.label == label:
                return transition.id
        raise RCLError(self._refusal(f"labelled '{label}'"))

    def step(self, number, publish_update=True):
        """Take the transition of this number; RCLError where the state does not allow it."""
        for transition in self.possible:
            if transition.id == number:
                self.state = transition.goal
                if publish_update:
                    self._on_transition(transition)
                return
        raise RCLError(self._refusal(number))

    def _refusal(self, wanted):
        return ('Failed to trigger lifecycle state machine transition: '
                f"Transition {wanted} is not registered for the state '{self.state.label}'")


def _numbers_and_labels(transition):
    return (transition.id, transition.label, transition.start.state_id, transition.start.label,
            transition.goal.state_id, transition.goal.label)
