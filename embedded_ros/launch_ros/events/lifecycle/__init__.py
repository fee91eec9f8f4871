"""Events of managed nodes."""
from .change_state import ChangeState
from .lifecycle_node_matchers import matches_node_name
from .state_transition import StateTransition

__all__ = ['ChangeState', 'StateTransition', 'matches_node_name']
