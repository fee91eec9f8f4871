"""Round trip of a JointState between two processes at 1 kHz, by each transport of the middleware.

Measured on a real ROS 2 Jazzy with Cyclone DDS: 434 to 443 us, 41 to 46 % of a core.  Both
processes are this file: `python -m benchmarks.round_trip echo | <count> <rate Hz>`.
"""

import os
import signal
from statistics import median, quantiles
import subprocess
import sys
from time import monotonic, process_time

import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.qos import QoSProfile
from sensor_msgs.msg import JointState

from benchmarks.figures import Figure
from mb_bringup.described import TRANSPORTS

COUNT, RATE = 3000, 1000.0
OTHER = 'DEFAULT', 'shared memory'      # value of the variable of Fast DDS, and what that is
QOS = QoSProfile(depth=10)


def measure():
    """Return the round-trip times and what the sender takes of a core, beside shared memory."""
    variable, ours = TRANSPORTS
    return [Figure(*named, peer=OTHER[1], peer_value=other) for named, other in zip(
        figures_of(values_with({variable: ours})), values_with({variable: OTHER[0]}), strict=True)]


def figures_of(values):
    """Return (name, value, unit, target) of each of the values."""
    median_time, longest, lost, share = values
    return [('round trip, median', median_time, 'us', None),
            ('round trip, 99 %', longest, 'us', None), ('messages lost', lost, '', 0.0),
            ('sender', share, '% of a core', None)]


def values_with(environment):
    """Return median and 99 % [us], messages lost and share of a core [%], of both processes."""
    times, share = run(environment)
    return (1e6 * median(times), 1e6 * quantiles(times, n=100)[98], COUNT - len(times),
            100.0 * share)


def run(environment):
    """Return (round-trip times [s], share of a core) of a sender and an echo."""
    environment = {**os.environ, **environment}
    command = [sys.executable, '-m', 'benchmarks.round_trip']
    echo = subprocess.Popen([*command, 'echo'], env=environment)
    try:
        sender = subprocess.run([*command, str(COUNT), str(RATE)], env=environment, check=True,
                                text=True, stdout=subprocess.PIPE, timeout=60)
    finally:
        echo.send_signal(signal.SIGINT)
        echo.wait(10)
    *times, share = map(float, sender.stdout.split())
    return times, share


def echo():
    """Send back whatever comes, until interrupted."""
    rclpy.init()
    node = rclpy.create_node('echo')
    back = node.create_publisher(JointState, 'back', QOS)
    node.create_subscription(JointState, 'there', back.publish, QOS)
    try:
        rclpy.spin(node)
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    finally:
        rclpy.try_shutdown()


def send(count, rate):
    """Send `count` messages at `rate` [Hz]; print their round-trip times, last the CPU share."""
    rclpy.init()
    node = rclpy.create_node('sender')
    there = node.create_publisher(JointState, 'there', QOS)
    sent, times, knocked = {}, [], []

    def arrived(message):
        if message.header.stamp.sec in sent:
            times.append(monotonic() - sent[message.header.stamp.sec])
        else:
            knocked.append(message)

    node.create_subscription(JointState, 'back', arrived, QOS)
    message = JointState(name=['a', 'b', 'c'], position=[0.0] * 3, velocity=[0.0] * 3)
    message.header.stamp.sec = -1
    while not knocked:          # until both ways are open
        there.publish(message)
        rclpy.spin_once(node, timeout_sec=0.1)
    numbers = iter(range(count))

    def fire():
        number = next(numbers, None)
        if number is not None:
            message.header.stamp.sec = number
            sent[number] = monotonic()
            there.publish(message)

    node.create_timer(1.0 / rate, fire)
    start, cpu = monotonic(), process_time()
    while len(times) < count and monotonic() - start < 1.2 * count / rate:
        rclpy.spin_once(node, timeout_sec=0.5)
    share = (process_time() - cpu) / (monotonic() - start)
    rclpy.shutdown()
    print(*times, share, sep='\n')


if __name__ == '__main__':
    if sys.argv[1] == 'echo':
        echo()
    else:
        send(int(sys.argv[1]), float(sys.argv[2]))
