"""Events of launch_ros."""
from . import lifecycle
from .matchers import matches_node_name

__all__ = ['lifecycle', 'matches_node_name']
