"""What the processor time of a live estimator at 1 kHz goes on, on the Stewart platform.

    python -m benchmarks space_live_parts

The estimator node runs here, and takes messages of six encoders that another process sends, each by
itself.  Clocks of the thread's processor time stand around what is named; they take half a
microsecond each.  Beside it the same node gets the same messages one after the other, without
waiting: the mean, and the tenth that took least, which nothing has disturbed.  The kernels do the
same work in all three, so their ratios are what waking, and other processes, make of any work here.
"""

from contextlib import ExitStack, contextmanager
from importlib import import_module
import os
import subprocess
import sys
import time
from unittest.mock import patch

import numpy as np
import rclpy
from rclpy.publisher import Publisher
from sensor_msgs.msg import JointState

from benchmarks.figures import Figure
from benchmarks.space_live import FILTER, parameters, readings
from mb_estimators import EstimateStream, filter_class
from mb_model import load_mechanism
from mb_ros.draining_executor import DrainingExecutor
from mb_ros.qos import stream_qos
from mb_ros.states import joint_state
from mb_sensors import sensors_of

# What a package has for its own programs is not among what it exports.
NODES = import_module('mb_estimators.nodes.estimator')
MACHINE, TOPIC = 'stewart', 'joint_states'
PACE = 2.0              # wall time per time of stamps: sent in time beside other processes, too
BEGIN = 500             # messages before the clocks count
PATIENCE = 60.0         # for a process to start [s]
KERNELS, STREAM, MESSAGE, WRITE, NODE = (
    'kernels of predict and correct', 'order of readings, watches, the estimate',
    'making ~/state', 'writing it', 'the node beside these')


class Clocks:
    """Processor time of this thread around functions, by name, without what is within."""

    def __init__(self):
        self.spent, self._within = {}, [0.0]

    def around(self, function, name):
        """Return a function that does the same and is measured."""
        def measured(*args, **options):
            self._within.append(0.0)
            begin = time.thread_time()
            try:
                return function(*args, **options)
            finally:
                taken = time.thread_time() - begin
                self.spent[name] = self.spent.get(name, 0.0) + taken - self._within.pop()
                self._within[-1] += taken
        return measured


class TimedNode(NODES.EstimatorNode):
    """An EstimatorNode whose readings are counted and measured as they come.

    take: its callback for readings; begin: processor time when the clocks began to count [s].
    """

    def __init__(self, clocks):
        self._clocks, self.count, self.begin, self.take = clocks, 0, 0.0, None
        super().__init__()

    def subscribe(self, message_type, topic, callback, *args, **options):
        """Subscribe with a callback that is measured."""
        measured = self._clocks.around(callback, NODE)

        def counted(message):
            measured(message)
            self.count += 1
            if self.count == BEGIN:
                self._clocks.spent.clear()
                self.begin = time.process_time()
        self.take = counted
        super().subscribe(message_type, topic, counted, *args, **options)


def measure():
    """Return the Figures of both runs."""
    live, whole = live_run()
    mean, least = warm_run()
    figures = [Figure(name, share(live[name]), '% of a core', peer='without waiting',
                      peer_value=share(mean[name])) for name in live]
    return [*figures,
            Figure('waking, taking messages, other threads', share(whole - sum(live.values())),
                   '% of a core'),
            Figure('all', share(whole), '% of a core', peer='without waiting and middleware',
                   peer_value=share(sum(mean.values()))),
            *(Figure(f'undisturbed: {name}', share(least[name]), '% of a core') for name in live),
            Figure('load of this machine', os.getloadavg()[0], 'processes')]


def share(taken):
    """Return the percentage of a core of a time [s] that is taken every millisecond."""
    return 1e5 * taken


def live_run():
    """Return (times of a message by name, time of the whole process for it) [s]."""
    sender = subprocess.Popen([sys.executable, '-m', 'benchmarks.space_live_parts'])
    with timed_node() as (clocks, node):
        executor = DrainingExecutor()
        executor.add_node(node)
        end = time.monotonic() + PATIENCE
        while sender.poll() is None and time.monotonic() < end:
            executor.spin_once(timeout_sec=0.5)
        whole, used = time.process_time() - node.begin, node.count - BEGIN
        executor.shutdown()
    return {name: spent / used for name, spent in clocks.spent.items()}, whole / used


def warm_run():
    """Return the times of a message by name [s], one given after the other: mean, least tenth."""
    taken = []
    with timed_node() as (clocks, node):
        for message in messages():
            clocks.spent.clear()
            node.take(message)
            taken.append(dict(clocks.spent))
    times = {name: [one[name] for one in taken[BEGIN:]] for name in taken[-1]}
    return ({name: float(np.mean(all_)) for name, all_ in times.items()},
            {name: float(np.quantile(all_, 0.1)) for name, all_ in times.items()})


@contextmanager
def timed_node():
    """Give (Clocks, a TimedNode among them)."""
    given = parameters(load_mechanism(MACHINE)) | {
        'mechanism': MACHINE, 'estimator': FILTER, 'sensors': '[encoders]', 'status_rate': 100.0}
    arguments = [word for name, value in given.items() if not name.startswith('filter.a') or
                 name == 'filter.acceleration_psd' for word in ('-p', f'{name}:={value}')]
    clocks = Clocks()
    with ExitStack() as stack:
        for owner, functions, name in (
                (filter_class(FILTER), ('predict', 'correct'), KERNELS),
                (EstimateStream, ('add_all',), STREAM),
                (NODES.EstimateMessages, ('state_at',), MESSAGE),
                (Publisher, ('publish',), WRITE)):
            for function in functions:
                stack.enter_context(patch.object(
                    owner, function, clocks.around(getattr(owner, function), name)))
        rclpy.init(args=['--ros-args', *arguments])
        stack.callback(rclpy.shutdown)
        node = TimedNode(clocks)
        stack.callback(node.destroy_node)
        yield clocks, node


def messages():
    """Return the messages of the encoders."""
    mechanism = load_mechanism(MACHINE)
    return [joint_state(stamp, [name for name, _ in given], [value for _, (value,) in given])
            for stamp, given in readings(mechanism, sensors_of(mechanism, ['encoders']), 1000.0)]


def send():
    """Send the messages of the encoders, each a millisecond of the stamps after the other."""
    rclpy.init()
    node = rclpy.create_node('encoders')
    publisher = node.create_publisher(JointState, TOPIC, stream_qos(1000.0))
    end = time.monotonic() + PATIENCE
    while not publisher.get_subscription_count() and time.monotonic() < end:
        time.sleep(0.05)
    given = messages()
    begin = time.monotonic()
    for k, message in enumerate(given):
        time.sleep(max(0.0, begin + 1e-3 * PACE * k - time.monotonic()))
        publisher.publish(message)
    time.sleep(2.0)
    node.destroy_node()
    rclpy.shutdown()


if __name__ == '__main__':
    send()
