"""Relays in a row, processes of their own, that pass on states at 1 kHz without any work.

What rclpy alone takes for messages through so many nodes; each bears the time of its sending.
"""

from contextlib import suppress
import subprocess
import sys
import time

import numpy as np
import rclpy
from rclpy.executors import ExternalShutdownException

from mb_interfaces.msg import MechanismState
from mb_model import load_mechanism
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import nanoseconds
from mb_ros.states import mechanism_state

RATE = 1000.0       # [Hz]
WARM = 1000         # messages before those that count
PATIENCE = 60.0     # for processes to start, and for the last message [s]


def chain_times(relays, seconds):
    """Return the times (k) [s] of states from sending to reception, through so many relays."""
    count, received = WARM + round(RATE * seconds), []
    rclpy.init(args=[])
    node = rclpy.create_node('chain_listener')
    node.create_subscription(
        MechanismState, f'chain_{relays}',
        lambda state: received.append(time.monotonic_ns() - nanoseconds(state.header.stamp)),
        STREAM_QOS)
    processes = [_start('relay', place) for place in range(relays)] + [_start('send', count)]
    try:
        deadline = time.monotonic() + PATIENCE + seconds
        while len(received) < count and time.monotonic() < deadline:
            rclpy.spin_once(node, timeout_sec=0.1)
    finally:
        for process in processes:
            process.terminate()
            process.wait()
        node.destroy_node()
        rclpy.shutdown()
    return np.array(received[WARM:]) * 1e-9


def _start(role, number):
    return subprocess.Popen([sys.executable, '-m', 'benchmarks.relay_chain', role, str(number)])


def relay(place):
    """Pass on from one topic to the next until the end."""
    node = rclpy.create_node(f'chain_relay_{place}')
    publisher = node.create_publisher(MechanismState, f'chain_{place + 1}', STREAM_QOS)
    node.create_subscription(MechanismState, f'chain_{place}', publisher.publish, STREAM_QOS)
    with suppress(ExternalShutdownException):
        rclpy.spin(node)


def send(count):
    """Send so many states of the robot, as large as its estimator's."""
    node = rclpy.create_node('chain_sender')
    publisher = node.create_publisher(MechanismState, 'chain_0', STREAM_QOS)
    mechanism = load_mechanism('three_rrr')
    motion = {name: np.zeros(mechanism.g) for name in ('z', 'zd', 'zdd')}
    motion |= {name: np.zeros(mechanism.n) for name in ('q', 'qd', 'qdd')}
    size = 3 * mechanism.g
    while publisher.get_subscription_count() == 0:
        time.sleep(0.1)
    time.sleep(2.0)         # the others know each other, too
    due = time.monotonic()
    for _ in range(count):
        due += 1.0 / RATE
        time.sleep(max(0.0, due - time.monotonic()))
        publisher.publish(mechanism_state(
            mechanism, time.monotonic_ns(), covariance=np.zeros((size, size)), **motion))
    publisher.wait_for_all_acked()
    node.destroy_node()


if __name__ == '__main__':
    rclpy.init(args=[])
    {'relay': relay, 'send': send}[sys.argv[1]](int(sys.argv[2]))
