"""A contact detector in the process of the estimator, and one that takes its messages."""

from functools import cache, partial

from contact_states import MS, moving, robot
import numpy as np
import pytest
from rclpy.node import Node
from rclpy.serialization import serialize_message
from sensor_msgs.msg import Imu, JointState

from mb_contact.nodes.contact_detector import ContactDetectorNode
from mb_estimators.nodes.estimator import EstimatorNode
from mb_interfaces.msg import ContactEstimate, MechanismState
from mb_model.bags.messages import message_types, tidied
from mb_ros.node_bench import arguments_of, spin_until, together_on_bench
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import nanoseconds, stamp
from mb_ros.states import doubles, joint_state
from mb_sensors import sensors_of
from mb_sensors.readings import true_values

TYPES = message_types('ContactEstimate', 'ContactHypothesis', 'BodyContact', 'ExternalForce')
COUNT = 80
ENCODERS, IMU = sensors_of(robot(), ['drive_encoders']), sensors_of(robot(), ['imu'])
AT_ONCE, AFAR = 'contact_detector', 'afar'
JUDGED = {k * MS for k in range(1, COUNT)}       # until the last, torques are unknown
LATE = ['reorder_window:=0.002', 'history_length:=0.02', 'late_estimates:=both']


@cache
def run(seed):
    """Return stamps (k), torques (k, d) and readings (k, channels) of a robot that is pushed."""
    random = np.random.default_rng(seed)
    outside = np.outer(np.arange(COUNT) >= COUNT // 2, random.uniform(-20.0, 20.0, 3))
    when, *states, torques = moving(outside)
    q, qd, qdd, near = [], [], [], None
    for z, zd, zdd in zip(*states, strict=True):
        near = robot().assemble(z, near=near)
        q.append(near)
        qd.append(robot().velocity(near, zd))
        qdd.append(robot().acceleration(near, qd[-1], zdd))
    exact = np.hstack([true_values(robot(), sensor, q, qd, qdd) for sensor in (*ENCODERS, *IMU)])
    sigma = np.hstack([np.full(len(s.channels), s.settings.sigma) for s in (*ENCODERS, *IMU)])
    return when.tolist(), torques, exact + sigma * random.standard_normal(exact.shape)


def exact(message):
    """Return all bits of a contact estimate."""
    return tidied(TYPES, serialize_message(message), 'mb_interfaces/msg/ContactEstimate')


class Bench(Node):
    """Sensors and drives of a robot, and subscriptions to states and contacts."""

    def __init__(self):
        super().__init__('bench')
        self.states, self.contacts = [], {AT_ONCE: [], AFAR: []}
        self._encoders, self._torques = (self.create_publisher(JointState, topic, STREAM_QOS)
                                         for topic in ('drive_encoders', 'prototype/drive_torques'))
        self._imu = self.create_publisher(Imu, 'imu', STREAM_QOS)
        self.create_subscription(
            MechanismState, 'estimator/state', self.states.append, STREAM_QOS)
        for name, received in self.contacts.items():
            self.create_subscription(
                ContactEstimate, f'{name}/contact', received.append, STREAM_QOS)

    def publish(self, seed, delay):
        """Publish all of a run; the IMU comes some instants late."""
        when, torques, readings = run(seed)
        for k in range(COUNT + delay):
            if k < COUNT:
                message = JointState(name=robot().drives, effort=doubles(torques[k]))
                message.header.stamp = stamp(when[k] - MS)
                self._torques.publish(message)
                self._encoders.publish(joint_state(
                    when[k], [sensor.name for sensor in ENCODERS], readings[k, :3]))
            if k >= delay:
                message = Imu()
                message.header.stamp = stamp(when[k - delay])
                _, _, _, message.angular_velocity.z, x, y = readings[k - delay].tolist()
                message.linear_acceleration.x, message.linear_acceleration.y = x, y
                self._imu.publish(message)
            for _ in range(20 * (delay > 0)):       # late for an estimator that is quick
                self.executor_of_all.spin_once(timeout_sec=0.0)

    def stamps(self, name):
        """Return the stamps that a detector has published."""
        return [nanoseconds(message.header.stamp) for message in self.contacts[name]]


@pytest.fixture
def robot_file(tmp_path):
    file = tmp_path / 'robot.yaml'
    file.write_text('extends: three_rrr\nparameters: {drive_coulomb: 0.0}\nname: three_rrr\n')
    return f'mechanism:={file}'


def made(node, parameters, name=None):
    """Return what makes a node with parameters of its own."""
    arguments = arguments_of(parameters)
    return partial(node, cli_args=[*arguments, '-r', f'__node:={name}'] if name else arguments)


def nodes_of(robot_file, *more):
    """Return makers of an estimator between two detectors: only the later gets it directly."""
    arguments = [robot_file, 'publish_rate:=0.0']
    return [made(ContactDetectorNode, arguments, AFAR),
            made(EstimatorNode, [robot_file, 'estimator:=platform_ekf', 'dt:=0.001',
                                 'sensors:=[drive_encoders, imu]', *more]),
            made(ContactDetectorNode, arguments, AT_ONCE)]


@pytest.mark.parametrize(('seed', 'delay', 'parameters'), [
    (1, 0, ()), (2, 3, ()), (3, 3, LATE)])
def test_both_judge_alike(robot_file, seed, delay, parameters):
    """Bit by bit, also what late readings correct."""
    with together_on_bench(nodes_of(robot_file, *parameters), Bench) as (nodes, bench):
        bench.publish(seed, delay)
        at_once, afar = bench.contacts[AT_ONCE], bench.contacts[AFAR]
        spin_until(bench, lambda: set(bench.stamps(AT_ONCE)) & set(bench.stamps(AFAR)) >= JUDGED)
        assert [len(list(node.subscriptions)) for node in (nodes[0], nodes[2])] == [2, 1]
        same = [exact(one) == exact(other) for one, other in zip(at_once, afar, strict=False)]
        assert len(same) >= len(JUDGED)
        assert all(same)
        assert any(message.hypotheses for message in at_once)
        corrected = len(at_once) - len(JUDGED)
        assert corrected > COUNT // 2 if parameters else corrected == 0


def test_all_estimates_are_judged_whatever_of_them_is_published(robot_file):
    with together_on_bench(nodes_of(robot_file, 'publish_rate:=100.0'), Bench) as (_, bench):
        bench.publish(1, 0)
        spin_until(bench, lambda: set(bench.stamps(AT_ONCE)) >= JUDGED)
        spin_until(bench, lambda: (len(bench.states), len(bench.contacts[AFAR])) == (9, 8))


def test_estimates_of_another_robot_are_left_out(robot_file):
    detector = made(ContactDetectorNode, [
        'mechanism:=four_bar', 'drives:=[theta]', 'direct_threshold:=[1.0]',
        'momentum_threshold:=[1.0]'])
    with together_on_bench([nodes_of(robot_file)[1], detector], Bench) as ((_, detector), bench):
        bench.publish(1, 0)
        spin_until(bench, lambda: detector.health().values['messages rejected'] >= COUNT)
