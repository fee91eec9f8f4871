"""Tests of launched ROS nodes."""
from ros_tools import missing_in

from .wait_for_topics import WaitForTopics

__all__ = ['WaitForTopics']

__getattr__ = missing_in(__name__)
