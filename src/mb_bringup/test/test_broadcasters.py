"""The stand-in for ros2_control sends what its broadcasters would: names, frames, qualities."""

import itertools
from math import isnan
from pathlib import Path

from control_msgs.msg import DynamicJointState
from geometry_msgs.msg import WrenchStamped
import numpy as np
import pytest
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, ReliabilityPolicy
from sensor_msgs.msg import Imu, JointState
from std_msgs.msg import Float64MultiArray

from mb_estimators.nodes.estimator import EstimatorNode
from mb_interfaces.msg import MechanismState
from mb_model import load_mechanism
from mb_ros.node_bench import complaint_of, on_bench, spin_until, together_on_bench
from mb_ros.qos import STREAM_QOS
from mb_ros.stamps import nanoseconds, stamp
from mb_ros.states import doubles, mechanism_state
from mb_sensors import SensorTopic, sensors_of
from mb_sensors.command_api import KeptMessage
from mb_sensors.nodes import kept_message
from mb_sensors.nodes.broadcasters import BroadcastersNode, Updates

FILE = str(Path(__file__).parents[1] / 'ros2_control/quadruped_leg.yaml')
LEG = load_mechanism(FILE)
JOINTS = ['abduction_joint', 'hip_joint', 'lever_joint']
EFFORTS, WRENCH = [3.0, -4.0, 5.0], [1.0, 2.0, 3.0, 0.1, 0.2, 0.3]
STEP, START = 4_000_000, 1_000_000_000      # [ns]
IMU, FORCE = 'imu_sensor_broadcaster/imu', 'force_torque_sensor_broadcaster/wrench'
COMMANDS = 'effort_controller/commands'
TOPICS = {'joint_states': JointState, 'dynamic_joint_states': DynamicJointState, IMU: Imu,
         FORCE: WrenchStamped, COMMANDS: Float64MultiArray}


class Bench(Node):
    """A prototype at its start, and what subscribes as a user's node would."""

    def __init__(self):
        super().__init__('bench')
        self.got, self._now = {topic: [] for topic in TOPICS}, START
        for topic, kind in TOPICS.items():
            self.create_subscription(kind, topic, self.got[topic].append, 10)
        self._state = self.create_publisher(MechanismState, 'prototype/state', STREAM_QOS)
        self._torques = self.create_publisher(JointState, 'prototype/drive_torques', STREAM_QOS)
        self._true = []
        for group, values in (('motors', EFFORTS), ('ankle_wrench', [WRENCH])):
            sensors = sensors_of(LEG, group)
            topic = SensorTopic(sensors)
            kind = TOPICS[sensors[0].topic]
            self._true.append((
                self.create_publisher(kind, f'prototype/{sensors[0].topic}', STREAM_QOS),
                KeptMessage(topic, LEG.name),
                [(sensor, np.atleast_1d(value).tolist())
                 for sensor, value in zip(sensors, values, strict=True)]))

    def move(self):
        still = np.zeros(LEG.n)
        for publisher, message, readings in self._true:
            publisher.publish(message.filled(self._now, readings))
        torques = JointState(name=list(LEG.drives), effort=doubles(EFFORTS))
        torques.header.stamp = stamp(self._now)
        self._torques.publish(torques)
        self._state.publish(mechanism_state(
            LEG, self._now, z=LEG.z0, zd=still[:3], zdd=still[:3], q=LEG.q0, qd=still, qdd=still))
        self._now += STEP
        return True


def test_it_sends_what_broadcasters_would():
    with on_bench(BroadcastersNode, Bench, [
            f'mechanism:={FILE}', f'commands:={COMMANDS}',
            f"frame_ids:=['{IMU}: foot', '{FORCE}: calf']"]) as (_, bench):
        spin_until(bench, lambda: bench.move() and all(
            len(messages) > 5 for messages in bench.got.values()))
        offers = {topic: one.qos_profile for topic in TOPICS
                  for one in bench.get_publishers_info_by_topic(f'/{topic}')}
    for offer in offers.values():           # as rclcpp::SystemDefaultsQoS on Fast DDS
        assert offer.reliability == ReliabilityPolicy.RELIABLE
        assert offer.durability == DurabilityPolicy.VOLATILE
    got = bench.got
    stamps = [nanoseconds(one.header.stamp) for one in got['joint_states']]
    assert all(b > a and (b - START) % STEP == 0
               for a, b in itertools.pairwise(stamps))   # one for each update
    joints = got['joint_states'][-1]
    assert list(joints.name) == JOINTS
    assert joints.header.frame_id == 'base_link'
    np.testing.assert_allclose(joints.position, LEG.z0, atol=6e-3)
    np.testing.assert_allclose(joints.velocity, 0.0, atol=0.12)
    np.testing.assert_allclose(joints.effort, EFFORTS, atol=0.6)
    imu = got[IMU][-1]
    assert imu.header.frame_id == 'foot'
    # static covariances of a broadcaster are zeros, also of the orientation, which is no reading
    for vector in ('orientation', 'angular_velocity', 'linear_acceleration'):
        assert not np.any(getattr(imu, f'{vector}_covariance'))
    felt = imu.linear_acceleration
    assert abs(np.hypot(np.hypot(felt.x, felt.y), felt.z) - 9.81) < 0.3
    wrench = got[FORCE][-1]
    assert wrench.header.frame_id == 'calf'
    assert abs(wrench.wrench.force.z - 3.0) < 1.2
    assert list(got[COMMANDS][-1].data) == EFFORTS
    dynamic = {nanoseconds(one.header.stamp): one for one in got['dynamic_joint_states']}
    same = dynamic[stamps[0]]
    assert list(same.joint_names) == JOINTS
    for k, part in enumerate(same.interface_values):
        assert dict(zip(part.interface_names, part.values, strict=True)) == {
            field: getattr(got['joint_states'][0], field)[k]
            for field in ('position', 'velocity', 'effort')}


@pytest.fixture
def by_interface(tmp_path):
    """Return the path of the leg whose encoders are interfaces on dynamic_joint_states."""
    file = tmp_path / 'leg.yaml'
    file.write_text(LEG.replace(sensors={
        f'{name}_encoder': {'topic': 'dynamic_joint_states', 'interface': 'position'}
        for name in ('abduction', 'hip', 'lever')}).text)
    return file


def test_an_estimator_reads_joints_by_interface(by_interface):
    """Beside joint_states of the same broadcaster."""
    with together_on_bench([BroadcastersNode, EstimatorNode], Bench, [
            f'broadcasters:mechanism:={FILE}', f'estimator:mechanism:={by_interface}',
            'estimator:sensors:=[encoders]']) as (_, bench):
        states = []
        bench.create_subscription(MechanismState, 'estimator/state', states.append, STREAM_QOS)
        spin_until(bench, lambda: bench.move() and len(states) > 20)
    np.testing.assert_allclose(states[-1].z, LEG.z0, atol=2e-2)    # its springs pull


def test_an_estimator_without_control_msgs_says_so(by_interface, monkeypatch, capfd):
    def absent(name):
        raise ModuleNotFoundError(name)
    monkeypatch.setattr(kept_message, 'get_message', absent)
    said = complaint_of(EstimatorNode, [f'mechanism:={by_interface}', 'sensors:=[encoders]'], capfd)
    assert ('abduction_encoder: topic: dynamic_joint_states: messages of type '
            'control_msgs/msg/DynamicJointState need the package control_msgs, which is not '
            'installed here') in said


def test_interfaces_that_hardware_lacks_are_nan():
    with on_bench(BroadcastersNode, Bench, [
            'mechanism:=quadruped_leg', 'sensors:=[encoders]']) as (_, bench):
        spin_until(bench, lambda: bench.move() and bench.got['joint_states'])
    joints = bench.got['joint_states'][0]
    assert len(joints.position) == len(joints.velocity) == len(joints.effort) == 3
    assert all(map(isnan, [*joints.velocity, *joints.effort]))


def test_an_update_is_whole_or_older():
    """What drops out is sent with the next whole one, and never waited for without end."""
    a, b = sensors_of(LEG, ['hip_encoder', 'hip_speed'])
    updates = Updates(2)
    assert updates.take(a, 1, [0.1]) == []
    assert updates.take(a, 2, [0.2]) == []
    assert updates.take(b, 2, [0.3]) == [(1, [(a, [0.1])]), (2, [(a, [0.2]), (b, [0.3])])]
    sent = [one for k in range(3, 1000) for one in updates.take(a, k, [0.0])]
    assert [stamp for stamp, _ in sent] == sorted(stamp for stamp, _ in sent)
    assert len(sent) > 900


def test_frames_are_of_topics(capfd):
    assert 'frame_ids: \'foot\' must be as "topic: frame"' in complaint_of(
        BroadcastersNode, ['frame_ids:=[foot]'], capfd)
