"""The processor time that rclpy takes on a ROS 2 Jazzy, imitated here for benchmarks.

With EMBEDDED_ROS_COSTS=jazzy in the environment, what an executor and a message cost is spent by
busy waiting on top of what embedded_ros takes.  Measured on a Jazzy, for a JointState of 3 joints:
a wake of an executor with one message 260 to 340 us (here 27 to 56), one more message taken by hand
12 to 28 us (5 to 10), publishing 11 us (6).  How a wake divides into the wait and the handler of
what came was not measured; a further entity that the same wait found is taken to cost HANDLER.
"""
import os
from time import thread_time

ENVIRONMENT = 'EMBEDDED_ROS_COSTS'
JAZZY = 'jazzy'

# [s]
WAIT = 100e-6  # before a wait, to gather entities, and as much after it, to look which are ready
HANDLER = 60e-6  # of what one entity has
TAKE = 12e-6
PUBLISH = 5e-6

_asked = os.environ.get(ENVIRONMENT, '')
if _asked not in ('', JAZZY):
    raise ValueError(f'{ENVIRONMENT}: {_asked!r} is unknown, expected {JAZZY!r}')
imitated = bool(_asked)


def spend(cost):
    """Keep the processor busy for a time [s]."""
    end = thread_time() + cost
    while thread_time() < end:
        pass
