"""Events of launch_ros."""
from . import lifecycle

__all__ = ['lifecycle']
