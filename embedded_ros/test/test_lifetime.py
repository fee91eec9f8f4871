"""The end of contexts while other threads still use what belonged to them."""

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
