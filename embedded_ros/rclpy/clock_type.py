"""Kinds of clocks."""
from enum import IntEnum


class ClockType(IntEnum):
    """Kinds of clocks; ROS_TIME follows /clock where use_sim_time is set."""

    UNINITIALIZED = 0
    ROS_TIME = 1
    SYSTEM_TIME = 2
    STEADY_TIME = 3
