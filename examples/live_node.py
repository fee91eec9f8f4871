"""A ROS 2 node of your own beside the estimator: it sends readings, and gets the estimates."""

import subprocess
import time

import matplotlib.pyplot as plt
import rclpy
from rclpy.duration import Duration
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.time import Time
from sensor_msgs.msg import JointState

from mb_interfaces.msg import MechanismState
from mb_model import load_mechanism, simulate

RATE, DURATION = 200.0, 2.0         # Hz, s


class Machine(Node):
    """Stands for a real machine: its encoder, read at 200 Hz."""

    def __init__(self):
        """Begin to send."""
        super().__init__('machine')
        self.truth = simulate(load_mechanism('four_bar'), DURATION, 1.0 / RATE / 4.0).part(
            slice(None, None, 4))
        self.sent, self.estimates, self.start = 0, [], None
        self._readings = self.create_publisher(JointState, 'crank_encoder', 10)
        self.create_subscription(MechanismState, 'estimator/state', self._note, 10)
        self.create_timer(1.0 / RATE, self._send)

    def _send(self):
        if self.sent < len(self.truth.t) and self.count_subscribers('crank_encoder'):
            message = JointState(name=['crank_encoder'], position=[self.truth.z[self.sent, 0]])
            self.start = self.start or self.get_clock().now()
            taken = self.start + Duration(seconds=float(self.truth.t[self.sent]))
            message.header.stamp = taken.to_msg()
            self._readings.publish(message)
            self.sent += 1

    def _note(self, message):
        stamp = Time.from_msg(message.header.stamp)
        self.estimates.append([1e-9 * (stamp - self.start).nanoseconds, message.zd[0]])


estimator = subprocess.Popen(['ros2', 'run', 'mb_estimators', 'estimator', '--ros-args', '-p',
                              'mechanism:=four_bar', '-p', 'sensors:=[crank_encoder]'])
rclpy.init()
machine, end = Machine(), time.monotonic() + 60.0
try:
    while len(machine.estimates) < len(machine.truth.t) - 10 and time.monotonic() < end:
        rclpy.spin_once(machine, timeout_sec=0.1)
except (KeyboardInterrupt, ExternalShutdownException):
    raise SystemExit(130) from None
finally:
    estimator.terminate()
    estimator.wait()
    rclpy.try_shutdown()
if not machine.estimates:
    raise SystemExit('no estimate came within a minute: does the estimator run in the same domain?')
print(f'{machine.sent} readings sent, {len(machine.estimates)} estimates received')

figure, axes = plt.subplots(figsize=(7, 4), layout='constrained')
axes.plot(*zip(*machine.estimates, strict=True), label='estimate, as it came')
axes.plot(machine.truth.t, machine.truth.zd[:, 0], 'k--', label='truth')
axes.set(xlabel='time [s]', ylabel='speed of the crank [rad/s]')
axes.legend()
figure.savefig('live_node.png', dpi=100)
