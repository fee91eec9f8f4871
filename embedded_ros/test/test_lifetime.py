"""The DDS library under many contexts and topics, and threads that outlive them."""

WAKES = """
import sys
import threading
import rclpy
from rclpy.executors import SingleThreadedExecutor

def cycle():
    rclpy.init(args=[])
    executor = SingleThreadedExecutor()
    rclpy.shutdown()
    return executor

def wake():
    while not over:
        first.wake()

sys.setswitchinterval(1e-5)
first, over = cycle(), False
thread = threading.Thread(target=wake)
thread.start()
for _ in range(200):
    cycle()
over = True
thread.join()
"""


def test_threads_may_outlive_their_context(run):
    """A late wake() of another thread is harmless, whatever is set up or taken down then."""
    assert run('-c', WAKES).wait(60) == 0


MANY = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
import rclpy
from rclpy.context import Context
from std_msgs.msg import Int32

def publishers():
    context = Context()
    context.init(args=[])
    node = rclpy.create_node('node', context=context)
    return [node.create_publisher(Int32, f'topic_{number}', 1) for number in range(20)]

print(len([publishers() for _ in range(3)]))
"""


def test_many_topics_of_a_type(run):
    """More topics of one type than the library can hold descriptions of it; memory is bounded."""
    process = run('-c', MANY)
    assert (process.communicate()[0], process.returncode) == ('3\n', 0)


FORKS = """
import os
from rclpy.context import Context
import rclpy.node
for _ in range(2):
    if os.fork() == 0:
        context = Context()
        context.init(args=[])
        print(context.participant.gid.hex(), flush=True)
        context.shutdown()
        os._exit(0)
    os.wait()
"""


def test_forks_have_names_of_their_own(run):
    """Participants of processes forked from one that has only imported rclpy differ."""
    process = run('-c', FORKS)
    first, second = process.communicate()[0].split()
    assert (first != second, process.returncode) == (True, 0)
