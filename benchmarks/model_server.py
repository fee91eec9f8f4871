"""Time that the model server takes to answer over DDS, the client's share included."""

import signal
from statistics import median, quantiles
import subprocess
import sys
from time import perf_counter

import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor

from benchmarks.figures import Figure
from mb_interfaces.srv import ForwardDynamics, Linearise

COUNT = 1000
LONGEST_MEDIAN = 1000.0     # us
PATIENCE = 300.0            # with an empty cache the server compiles first [s]


def measure():
    """Return the times of two services on the four-bar linkage."""
    program = 'from mb_model.nodes.model_server import main; main()'
    server = subprocess.Popen([sys.executable, '-c', program])
    context = Context()
    rclpy.init(context=context)
    try:
        node = rclpy.create_node('asker', context=context)
        return [*figures(node, ForwardDynamics, 'forward_dynamics', LONGEST_MEDIAN),
                *figures(node, Linearise, 'linearise', None)]
    finally:
        rclpy.shutdown(context=context)
        server.send_signal(signal.SIGINT)
        server.wait(10)


def figures(node, kind, name, target):
    """Return the figures of a service."""
    executor = SingleThreadedExecutor(context=node.context)
    executor.add_node(node)
    client = node.create_client(kind, f'/model_server/{name}')
    if not client.wait_for_service(PATIENCE):
        raise RuntimeError(f'{name}: the model server did not come up')
    request = kind.Request(z=[1.0], zd=[2.0], force=[30.0])
    times = []
    for _ in range(COUNT):
        begin = perf_counter()
        future = client.call_async(request)
        executor.spin_until_future_complete(future, 10.0)
        times.append(perf_counter() - begin)
        if not future.result().success:
            raise RuntimeError(f'{name}: {future.result().message}')
    executor.remove_node(node)
    return [Figure(f'{name}, median', 1e6 * median(times), 'us', target),
            Figure(f'{name}, 99 %', 1e6 * quantiles(times, n=100)[98], 'us')]
