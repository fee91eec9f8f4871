"""What stands around the estimator in `live_1khz`: two sensors, and a relay as the yardstick.

    python -m benchmarks.live_1khz_nodes sensors <file of readings> <file of times> | relay
"""

import sys
import time

import numpy as np
import rclpy
from rclpy.node import Node
from sensor_msgs.msg import Imu, JointState

from mb_interfaces.msg import MechanismState
from mb_model import load_mechanism
from mb_ros.node_main import run
from mb_ros.qos import STREAM_QOS, deep, stream_qos
from mb_ros.states import joint_state, mechanism_state

MECHANISM, ENCODER, GYRO = 'four_bar', 'crank_encoder', 'crank_gyro'
RELAYED = 'relay/state'
START, STEP = 1_000_000_000, 1_000_000      # stamp of the first reading, and between two [ns]
LISTENERS = 2                               # of every sensor: the estimator and the relay
PATIENCE = 60.0                             # for these to come [s]


def sensors(readings_file, times_file):
    """Publish readings (k, 2) at their times, never early; note when each pair was published."""
    readings = np.load(readings_file)
    rclpy.init()
    node = rclpy.create_node('sensors')
    qos = stream_qos(1e9 / STEP)
    encoder = node.create_publisher(JointState, ENCODER, qos)
    gyro = node.create_publisher(Imu, GYRO, qos)
    angle, rate = joint_state(START, [ENCODER], [0.0]), Imu()
    end = time.monotonic() + PATIENCE
    while min(encoder.get_subscription_count(), gyro.get_subscription_count()) < LISTENERS:
        if time.monotonic() > end:
            raise TimeoutError('the estimator or the relay does not listen')
        time.sleep(0.05)
    published = np.empty(len(readings))
    begin = time.monotonic() + 0.5
    for k, (of_angle, of_rate) in enumerate(readings.tolist()):
        due = begin + k * STEP * 1e-9
        time.sleep(max(0.0, due - time.monotonic()))
        seconds, rest = divmod(START + k * STEP, 1_000_000_000)
        for message in (angle, rate):
            message.header.stamp.sec, message.header.stamp.nanosec = seconds, rest
        angle.position[0] = of_angle
        rate.angular_velocity.z = of_rate
        published[k] = time.monotonic()
        encoder.publish(angle)
        gyro.publish(rate)
    np.save(times_file, np.column_stack(
        (published, begin + np.arange(len(readings)) * STEP * 1e-9)))
    time.sleep(2.0)             # readers that are behind still get the last ones
    node.destroy_node()
    rclpy.shutdown()


class Relay(Node):
    """Publishes a state of the estimator's size for every pair of readings, without any work."""

    def __init__(self):
        super().__init__('relay')
        mechanism = load_mechanism(MECHANISM)
        zeros = np.zeros(mechanism.n)
        self._message = mechanism_state(
            mechanism, START, z=zeros[:1], zd=zeros[:1], zdd=zeros[:1], q=zeros, qd=zeros,
            qdd=zeros, covariance=np.zeros(4))
        self._state_pub = self.create_publisher(MechanismState, RELAYED, stream_qos(1e9 / STEP))
        self._alone = set()     # stamps of readings whose other half is still to come
        for kind, topic in ((JointState, ENCODER), (Imu, GYRO)):
            self.create_subscription(kind, topic, self._on_reading, deep(STREAM_QOS))

    def _on_reading(self, reading):
        stamp = reading.header.stamp
        instant = stamp.sec, stamp.nanosec
        if instant in self._alone:
            self._alone.remove(instant)
            self._message.header.stamp = stamp
            self._state_pub.publish(self._message)
        else:
            self._alone.add(instant)


if __name__ == '__main__':
    if sys.argv[1] == 'relay':
        run([Relay])
    else:
        sensors(*sys.argv[2:])
