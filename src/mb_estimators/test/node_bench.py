"""A node and its surroundings in one process, both spun together."""

from contextlib import contextmanager
import time

import rclpy
from rclpy.executors import SingleThreadedExecutor

WAIT = 10.0       # longest wait for messages [s]


@contextmanager
def on_bench(make_node, make_bench, parameters):
    """Give (node, bench) that run with parameters 'name:=value' of the node."""
    rclpy.init(args=['--ros-args', *(word for value in parameters for word in ('-p', value))])
    executor = SingleThreadedExecutor()
    node, bench = make_node(), make_bench()
    executor.add_node(node)
    executor.add_node(bench)
    bench.executor_of_both = executor
    yield node, bench
    executor.shutdown()
    node.destroy_node()
    bench.destroy_node()
    rclpy.shutdown()


def spin_until(bench, done):
    """Spin both nodes until a condition holds; fail after WAIT."""
    end = time.monotonic() + WAIT
    while not done():
        assert time.monotonic() < end, 'the estimator did not answer'
        bench.executor_of_both.spin_once(timeout_sec=0.05)
