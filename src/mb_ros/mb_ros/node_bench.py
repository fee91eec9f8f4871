"""Nodes and their surroundings in one process, all spun together: for tests of nodes."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
import gc
import time
from typing import Any

import rclpy
from rclpy.node import Node

from mb_ros.draining_executor import DrainingExecutor
from mb_ros.node_main import USER_ERROR, run

WAIT = 20.0             # longest wait for messages [s]
LONGEST_END = 600.0     # of a node in a process of many tests, on a machine that does others [s]


def arguments_of(parameters: Sequence[str]) -> list[str]:
    """Return the arguments of a process with parameters 'name:=value'."""
    return ['--ros-args', *(word for value in parameters for word in ('-p', value))]


def complaint_of(make_node: Callable[[], Node], parameters: Sequence[str], capfd: Any) -> str:
    """Return what a node says that ends because of its parameters, with exit code 2 and in words.

    capfd: the fixture of pytest.
    """
    code: str | int | None = 0
    try:
        run([make_node], arguments_of(parameters), longest_end=LONGEST_END)
    except SystemExit as end:
        code = end.code
    assert code == USER_ERROR
    printed = capfd.readouterr().err
    assert 'Traceback' not in printed
    return printed


def begin(arguments: list[str]) -> None:
    """Initialise rclpy without nodes of former tests.

    A managed node that is destroyed stays in the ROS graph, without topics, until it is collected:
    a question about a node of its name may find that one.
    """
    gc.collect()
    rclpy.init(args=arguments)


@contextmanager
def on_bench(make_node: Callable[[], Any], make_bench: Callable[..., Any],
             parameters: Sequence[str]) -> Iterator[tuple[Any, Any]]:
    """Give (node, bench) that run with parameters 'name:=value' of the node."""
    with together_on_bench([make_node], make_bench, parameters) as ((node,), bench):
        yield node, bench


@contextmanager
def together_on_bench(makers: Sequence[Callable[[], Any]], make_bench: Callable[..., Any],
                      parameters: Sequence[str] = ()) -> Iterator[tuple[list[Any], Any]]:
    """Give (nodes, bench) that run with parameters 'name:=value' of all of them."""
    begin(arguments_of(parameters))
    nodes, executor = [], DrainingExecutor()
    try:
        for make in (*makers, make_bench):
            nodes.append(make())
            executor.add_node(nodes[-1])
        *tested, bench = nodes
        bench.executor_of_all = executor
        yield tested, bench
    finally:
        executor.shutdown()
        for node in nodes:
            node.destroy_node()
        rclpy.shutdown()


def spin_until(bench: Any, done: Callable[[], Any]) -> None:
    """Spin all nodes until a condition holds; fail after WAIT."""
    end = time.monotonic() + WAIT
    while not done():
        assert time.monotonic() < end, 'the node did not answer'
        bench.executor_of_all.spin_once(timeout_sec=0.05)
