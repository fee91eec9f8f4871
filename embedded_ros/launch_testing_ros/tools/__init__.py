"""Output of ROS commands in tests."""
from .output import basic_output_filter, get_rmw_output_filter

__all__ = ['basic_output_filter', 'get_rmw_output_filter']
