"""Driver nodes that read emulated devices: topics, stamps, diagnostics."""

import time

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
import numpy as np
import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from sensor_msgs.msg import Imu, JointState

from mb_interfaces.msg import MechanismState
from mb_model import load_mechanism, simulate
from mb_ros.own_domain import own_domain
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import nanoseconds
from mb_ros.states import mechanism_state
from mb_sensors import SensorNoise, sensors_of
from mb_sensors.nodes.emulate import EmulateNode
from mb_sensors.nodes.encoder_driver import EncoderDriver
from mb_sensors.nodes.imu_driver import ImuDriver
from mb_sensors.readings import true_values

WAIT = 20.0       # longest wait for anything [s]
START, STEP = 1_000_000_000, 5_000_000
FOUR_BAR = load_mechanism('four_bar')
RUN = simulate(FOUR_BAR, 0.1, 0.005)
STAMPS = [START + k * STEP for k in range(len(RUN.t))]


class Bench:
    """An emulated device, its driver, and a node that publishes the truth and receives the rest."""

    def __init__(self, driver_class, message_type, topic, arguments):
        rclpy.init(args=['--ros-args', *(x for a in arguments for x in ('-p', a))])
        self.node, self.emulate, self.driver = Node('bench'), EmulateNode(), driver_class()
        self.nodes = [self.node, self.emulate, self.driver]
        self.executor = SingleThreadedExecutor()
        for node in self.nodes:
            self.executor.add_node(node)
        self.truth = self.node.create_publisher(MechanismState, '/prototype/state', STREAM_QOS)
        self.received, self.health = [], None
        self.node.create_subscription(message_type, topic, self.received.append, STREAM_QOS)
        self.node.create_subscription(DiagnosticArray, '/diagnostics', self._on_diagnostics, 10)

    def _on_diagnostics(self, message):
        for status in message.status:
            if status.name == self.driver.get_fully_qualified_name():
                self.health = status

    def spin_until(self, condition):
        end = time.monotonic() + WAIT
        while not condition():
            assert time.monotonic() < end, self.health
            self.executor.spin_once(timeout_sec=0.05)

    def send(self):
        for k, when in enumerate(STAMPS):
            self.truth.publish(mechanism_state(
                FOUR_BAR, when, z=RUN.z[k], q=RUN.q[k], qd=RUN.qd[k], qdd=RUN.qdd[k]))

    def close(self):
        self.executor.shutdown()
        for node in reversed(self.nodes):
            node.destroy_node()
        rclpy.shutdown()


@pytest.fixture
def bench(monkeypatch):
    """Return a function that sets up a bench."""
    monkeypatch.setenv('ROS_DOMAIN_ID', str(own_domain()))
    made = []

    def make(*arguments):
        made.append(Bench(*arguments))
        return made[-1]

    yield make
    for one in made:
        one.close()


def expected_readings(name):
    sensor, = sensors_of(FOUR_BAR, name)
    truth = true_values(FOUR_BAR, sensor, RUN.q, RUN.qd, RUN.qdd)
    return SensorNoise(sensor.settings, 0, name).readings(np.arange(200, 200 + len(truth)), truth)


CAN = ['device:=can', 'source:=can', 'sensors:=[crank_encoder]', 'crank_encoder.can.node_id:=5',
       'can.interface:=virtual', 'can.heartbeat:=0.05']


def test_an_encoder_on_the_bus_reads_what_a_simulated_one_does(bench, tmp_path):
    file = tmp_path / 'calibration.yaml'
    file.write_text('crank_encoder: {bias: -0.5}')
    b = bench(EncoderDriver, JointState, '/crank_encoder', [
        *CAN, 'can.channel:=whole', f'acquisition.calibration:={file}'])
    b.spin_until(lambda: b.node.count_publishers('/crank_encoder'))     # the device has answered
    before = b.node.get_clock().now().nanoseconds
    b.send()
    b.spin_until(lambda: len(b.received) == len(STAMPS))
    stamps = [nanoseconds(message.header.stamp) for message in b.received]
    assert stamps == sorted(set(stamps))
    assert before < stamps[0]
    assert stamps[-1] < b.node.get_clock().now().nanoseconds
    np.testing.assert_allclose([m.position[0] - 0.5 for m in b.received],
                               expected_readings('crank_encoder')[:, 0],
                               atol=np.pi / 2 ** 18 * 1.001)


def test_an_imu_in_simulated_time_reads_what_a_simulated_one_does_and_when(bench, tmp_path):
    b = bench(ImuDriver, Imu, '/crank_gyro', [
        'device:=serial_imu', 'source:=serial_imu', 'sensors:=[crank_gyro, crank_accelerometers]',
        f'serial_imu.port:={tmp_path / "imu"}', 'acquisition.clock:=synchronised',
        'use_sim_time:=true'])
    forces = []
    b.node.create_subscription(Imu, '/crank_accelerometers', forces.append, STREAM_QOS)
    b.spin_until(lambda: b.node.count_publishers('/crank_gyro'))
    b.send()
    b.spin_until(lambda: len(b.received) == len(forces) == len(STAMPS))
    for messages, name, read in (
            (b.received, 'crank_gyro', lambda m: [m.angular_velocity.z]),
            (forces, 'crank_accelerometers',
             lambda m: [m.linear_acceleration.x, m.linear_acceleration.y])):
        assert [nanoseconds(message.header.stamp) for message in messages] == STAMPS
        np.testing.assert_allclose([read(message) for message in messages],
                                   expected_readings(name), rtol=1e-7)


def test_one_driver_reads_several_imus_each_at_its_own_port(bench, tmp_path):
    b = bench(ImuDriver, Imu, '/crank_gyro', [
        'device:=serial_imu', 'source:=serial_imu', 'sensors:=[crank_gyro, coupler_gyro]',
        f'crank_gyro.serial_imu.port:={tmp_path / "crank"}',
        f'coupler_gyro.serial_imu.port:={tmp_path / "coupler"}',
        'acquisition.clock:=synchronised', 'use_sim_time:=true'])
    others = []
    b.node.create_subscription(Imu, '/coupler_gyro', others.append, STREAM_QOS)
    b.spin_until(lambda: b.node.count_publishers('/crank_gyro'))
    b.send()
    b.spin_until(lambda: len(b.received) == len(others) == len(STAMPS))
    for messages, name in ((b.received, 'crank_gyro'), (others, 'coupler_gyro')):
        np.testing.assert_allclose([[m.angular_velocity.z] for m in messages],
                                   expected_readings(name), rtol=1e-7)
    b.spin_until(lambda: b.health is not None and b.health.message != '')
    keys = {item.key for item in b.health.values}
    assert {f'{tmp_path / "crank"} frames lost', f'{tmp_path / "coupler"} frames lost'} <= keys
    b.emulate._devices[1].close()
    b.spin_until(lambda: str(tmp_path / 'coupler') in b.health.message)
    assert str(tmp_path / 'crank') not in b.health.message


def test_health_reports_what_is_wrong_with_a_device_and_when_it_is_well_again(bench):
    b = bench(EncoderDriver, JointState, '/crank_encoder', [*CAN, 'can.channel:=health'])
    b.spin_until(lambda: b.health is not None and b.health.message == 'silent: crank_encoder')
    device, = b.emulate._devices
    node = device.nodes['crank_encoder']
    node.unplug(device.network)
    b.spin_until(lambda: 'crank_encoder: node 5: no answer' in b.health.message)
    assert b.health.level == DiagnosticStatus.ERROR
    node.plug(device.network)
    timer = b.node.create_timer(0.01, lambda: device.take(
        sensors_of(FOUR_BAR, 'crank_encoder')[0], 1, [0.5]))
    # Readings without a device's time come at the pace of this test: some seem to be missing.
    b.spin_until(lambda: b.health.message == 'reading' or 'missing' in b.health.message)
    b.node.destroy_timer(timer)
    values = {item.key: item.value for item in b.health.values}
    assert int(values['crank_encoder readings']) > 0
    assert values['crank_encoder rejected'] == '0'
    assert float(values['crank_encoder age [s]']) < 20.0
    assert float(values['step time worst [ms]']) > 0.0
