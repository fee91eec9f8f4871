"""Tests of launched ROS nodes."""
from . import tools
from .data_republisher import DataRepublisher
from .message_pump import MessagePump
from .wait_for_topics import WaitForTopics

__all__ = ['DataRepublisher', 'MessagePump', 'WaitForTopics', 'tools']
