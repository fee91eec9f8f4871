"""Round trips of a JointState between two processes through rclpy; prints one time [s] a line.

    python -m benchmarks.round_trip_rclpy echo | <count> <rate Hz>
"""

import sys
from time import monotonic, process_time

import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.qos import QoSProfile
from sensor_msgs.msg import JointState

QOS = QoSProfile(depth=10)


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
