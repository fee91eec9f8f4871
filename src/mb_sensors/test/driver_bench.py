"""A driver node, a publisher of the truth of a machine and what the driver publishes."""

import time

from diagnostic_msgs.msg import DiagnosticArray
import numpy as np
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node

from mb_interfaces.msg import MechanismState
from mb_model import load_mechanism, simulate
from mb_ros.qos import STREAM_QOS
from mb_ros.states import mechanism_state
from mb_sensors import SensorNoise, sensors_of
from mb_sensors.readings import true_values

START, STEP = 1_000_000_000, 5_000_000
WAIT = 20.0       # longest wait for anything [s]
FOUR_BAR = load_mechanism('four_bar')
RUN = simulate(FOUR_BAR, 0.1, STEP / 1e9)
STAMPS = [START + k * STEP for k in range(len(RUN.t))]
TRUTH = (MechanismState, '/prototype/state')


class DriverBench:
    """Nodes of the same parameters, the driver last; what comes on some topics is in `received`."""

    def __init__(self, driver_class, parameters, readings, truth=TRUTH, before=()):
        """Set up for (message type, topic) of readings and of the truth; before: other nodes."""
        rclpy.init(args=['--ros-args', *(x for a in parameters for x in ('-p', a))])
        self.node, self.before = Node('bench'), [one() for one in before]
        self.driver = driver_class()
        self.executor = SingleThreadedExecutor()
        for node in self._nodes():
            self.executor.add_node(node)
        self.truth = self.node.create_publisher(*truth, STREAM_QOS)
        self.received, self.health = [], None
        for message_type, topic in readings:
            self.node.create_subscription(message_type, topic, self.received.append, STREAM_QOS)
        self.node.create_subscription(DiagnosticArray, '/diagnostics', self._on_diagnostics, 10)

    def _nodes(self):
        return [self.node, *self.before, self.driver]

    def _on_diagnostics(self, message):
        for status in message.status:
            if status.name == self.driver.get_fully_qualified_name():
                self.health = status

    def send(self, stamps=STAMPS, run=RUN, begin=0):
        """Publish states of a Run, from number `begin` on."""
        for k, when in enumerate(stamps, begin):
            self.truth.publish(mechanism_state(
                run.mechanism, when, z=run.z[k], q=run.q[k], qd=run.qd[k], qdd=run.qdd[k]))

    def come_back(self, path):
        """Let the driver be as if killed, and live again; path: of its checkpoint."""
        left = path.read_bytes()
        self.executor.remove_node(self.driver)
        self.driver.destroy_node()
        assert not path.exists()        # it ended in order
        path.write_bytes(left)
        self.driver = type(self.driver)()
        self.executor.add_node(self.driver)

    def spin_until(self, wanted):
        """Spin until so many readings came, or a condition holds; fail after WAIT."""
        end = time.monotonic() + WAIT
        while not (wanted() if callable(wanted) else len(self.received) >= wanted):
            assert time.monotonic() < end, (len(self.received), self.health)
            self.executor.spin_once(timeout_sec=0.05)

    def close(self):
        self.executor.shutdown()
        for node in reversed(self._nodes()):
            node.destroy_node()
        rclpy.shutdown()


def expected_readings(name, seed=0, mechanism=FOUR_BAR, run=RUN, first=200):
    """Return the readings (k, channels) of a run offline; first: number of the first one."""
    sensor, = sensors_of(mechanism, name)
    truth = true_values(mechanism, sensor, run.q, run.qd, run.qdd)
    return SensorNoise(sensor.settings, seed, name, sensor.is_rotation).readings(
        np.arange(first, first + len(truth)), truth)
