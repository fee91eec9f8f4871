"""What prototypes say that no motion determines: loads of joints, torques of drives, pressures."""

import sys
import time

import numpy as np
import pytest
import rclpy
from sensor_msgs.msg import JointState
import yaml

from mb_interfaces.msg import HydraulicState, MechanismState
from mb_model import Mechanism, load_mechanism, make_stepper
from mb_ros.draining_executor import DrainingExecutor
from mb_ros.node_bench import begin
from mb_ros.qos import STREAM_QOS, deep
from mb_ros.stamps import nanoseconds
from mb_sensors import SensorTopic, sensor_kinds, sensors_of
from mb_sensors.command_api import reading_type
from mb_sensors.nodes.sensor_driver import SensorDriver
from mb_simulation.nodes.prototype import PrototypeNode
from mb_simulation.prototypes import make_prototype

MACHINES = ('six_axis_arm', 'stewart', 'delta', 'quadruped_leg', 'spatial_slider_crank')
# On the excavator, which has oil, and on the arm, which has drives.
ENTRIES = {'pressure': ('excavator', {'volume': 'boom1'}),
           'motor_torque': ('six_axis_arm', {'drive': 'q1'}),
           'force_torque': ('six_axis_arm', {'joint': 'last'})}
DURATION, RATE = 0.2, 200.0
MILLISECOND = 1_000_000


@pytest.mark.parametrize('name', MACHINES)
def test_joints_transmit_what_the_model_says(name):
    """Tree joints and closures; of slender bodies the turn about their line may be another."""
    mechanism = load_mechanism(name)
    prototype = make_prototype('mujoco', mechanism, 5e-3, 2.5e-4)
    prototype.set_drive_torques(np.linspace(1.0, 2.0, len(mechanism.drives)))
    for _ in range(20):
        prototype.advance()
    state, stepper = prototype.state, make_stepper(mechanism)
    stepper.reset(state.z, state.zd, state.q)
    stepper.coordinate_forces[mechanism.indices(mechanism.drives)] = prototype.drive_torques
    loads, compared = stepper.reactions().joints, 0
    largest = max(np.linalg.norm(load.force) for load in loads.values())
    for joint in mechanism.joints.values():
        load = loads[joint.name]
        if not load.determined or joint.kind in ('distance', 'revolute_spherical', 'screw'):
            continue
        found, expected = prototype.joint_load(joint.name), np.r_[load.force, load.moment]
        if joint.bodies[0] != 'ground' and mechanism.bodies[joint.bodies[0]].slender:
            found, expected = (np.linalg.norm(value.reshape(2, 3), axis=1)
                               for value in (found, expected))
        np.testing.assert_allclose(found, expected, atol=1e-5 * largest, err_msg=joint.name)
        compared += 1
    assert compared >= 4


def test_a_universal_joint_and_a_screw():
    """The first transmits a moment across both axes alone; of the second nothing is known."""
    crank = load_mechanism('spatial_slider_crank')
    prototype = make_prototype('mujoco', crank, 5e-3, 1e-3)
    prototype.advance()
    moment = prototype.joint_load('cross')[3:]
    assert abs(moment[2]) < 1e-12       # z is its first axis
    screw = Mechanism({
        'name': 'screw', 'dimension': 3, 'gravity': [0.0, 0.0, -9.81],
        'ground': {'O': [0.0, 0.0, 0.0]},
        'bodies': {'nut': {'mass': 1.0, 'inertia': [0.1, 0.1, 0.1],
                           'points': {'O': [0.0, 0.0, 0.0]},
                           'centre_of_gravity': [0.0, 0.0, 0.0]}},
        'joints': {'thread': {'kind': 'screw', 'bodies': ['ground', 'nut'], 'at': 'O',
                              'axis': [0.0, 0.0, 1.0], 'pitch': 0.1}},
        'coordinates': {'a': {'kind': 'angle', 'joint': 'thread'}}, 'independent': ['a']},
        'screw.yaml')
    with pytest.raises(ValueError, match='what a joint of kind screw transmits'):
        make_prototype('mujoco', screw, 5e-3, 1e-3).joint_load('thread')


class Live:
    """A prototype and a driver, live in one process, and all that they publish."""

    def __init__(self, file, kind):
        begin([sys.argv[0], '--ros-args', *(word for name, value in {
            'mechanism': file, 'sensors': '[probe]', 'duration': DURATION, 'publish_rate': RATE,
            'wait_for_nodes': '[/sensor_driver, /bench]',
            **({} if kind == 'pressure' else {'trajectory.kind': 'random', 'trajectory.turn': 0.2,
                                              'control.torque_limit': 500.0}),
        }.items() for word in ('-p', f'{name}:={value}'))])
        bench = rclpy.create_node('bench', use_global_arguments=False)
        topic = SensorTopic(sensors_of(load_mechanism(file), ['probe']))
        self.states, self.torques, self.oil, self.readings, self.truth = {}, {}, {}, {}, {}
        for message_type, name, kept in (
                (MechanismState, 'prototype/state', self.states),
                (JointState, 'prototype/drive_torques', self.torques),
                (HydraulicState, 'prototype/hydraulics', self.oil),
                (reading_type(topic), topic.sensors[0].topic, self.readings),
                (reading_type(topic), f'prototype/{topic.sensors[0].topic}', self.truth)):
            bench.create_subscription(
                message_type, name, lambda message, kept=kept: kept.setdefault(
                    nanoseconds(message.header.stamp), message), deep(STREAM_QOS))
        executor, nodes = DrainingExecutor(), [PrototypeNode(), SensorDriver(), bench]
        for node in nodes:
            executor.add_node(node)
        end = time.monotonic() + 60.0
        try:
            last = 1_000_000_000 + round(DURATION * 1e9)
            while not (last in self.readings and last in self.states and (
                    kind == 'pressure' or last in self.torques)):
                assert time.monotonic() < end, len(self.readings)
                executor.spin_once(timeout_sec=0.05)
        finally:
            executor.shutdown()
            for node in nodes:
                node.destroy_node()
            rclpy.shutdown()
        self.values = {stamp: topic.readings(message)[0][1]
                       for stamp, message in self.readings.items()}


def test_every_kind_that_no_motion_determines_is_here():
    kinds = {name for name, kind in sensor_kinds().items() if kind.known_in(3)
             and kind.of(3).value is None}
    assert kinds == set(ENTRIES)
    assert all(sensor_kinds()[name].acting for name in kinds)


@pytest.mark.parametrize('kind', ENTRIES)
def test_a_driver_reads_it_live(tmp_path, kind):
    name, keys = ENTRIES[kind]
    file = tmp_path / 'machine.yaml'
    probe = {'kind': kind, 'sigma': 0.0, 'rate': RATE, **keys}
    file.write_text(yaml.safe_dump({'extends': name, 'name': name, 'sensors': {'probe': probe}}))
    live = Live(str(file), kind)
    mechanism = load_mechanism(str(file))
    stamps = sorted(set(live.values) & set(live.states))[1:]
    assert len(stamps) > 20
    for stamp in stamps:
        EXPECTED[kind](live, mechanism, stamp)


def test_motors_of_a_topic_share_its_messages(tmp_path):
    """What the prototype says of all drives at a stamp is one message, and what motors read."""
    arm = load_mechanism('six_axis_arm')
    motor = {'kind': 'motor_torque', 'topic': 'motors', 'sigma': 0.0, 'rate': RATE}
    sensors = {f'motor_{name}': {**motor, 'drive': name} for name in arm.drives}
    file = tmp_path / 'arm.yaml'
    file.write_text(yaml.safe_dump({
        'extends': arm.name, 'name': arm.name, 'sensors': sensors,
        'sensor_groups': {'probe': list(sensors)}}))
    live = Live(str(file), 'motor_torque')
    assert set(live.truth) & set(live.readings)
    for stamp in sorted(live.readings)[1:]:     # nothing has acted before the first
        message, torques = live.readings[stamp], live.torques[stamp - MILLISECOND]
        assert [name.removeprefix('motor_') for name in message.name] == list(torques.name)
        assert message.effort == torques.effort
        assert stamp not in live.truth or live.truth[stamp].effort == torques.effort


def _pressure(live, mechanism, stamp):
    oil = live.oil[stamp]
    assert live.values[stamp] == [oil.pressure[list(oil.volume).index('boom1')]]


def _torque(live, mechanism, stamp):
    """States of a stamp are still under the torques before."""
    before = live.torques[stamp - MILLISECOND].effort       # of the control step before
    assert live.values[stamp] == [before[mechanism.drives.index('q1')]]


def _load(live, mechanism, stamp):
    """Newton and Euler of the last body."""
    state = live.states[stamp]
    motion, other = (mechanism.body_motion(name, state.q, state.qd, state.qdd)
                     for name in ('wrist3', 'wrist2'))
    body = mechanism.bodies['wrist3']
    inertia = motion.rotation @ body.inertia @ motion.rotation.T
    force = body.mass * (motion.acceleration_of(body.centre_of_gravity) - mechanism.gravity)
    moment = (inertia @ motion.angular_acceleration + np.cross(
        motion.angular_velocity, inertia @ motion.angular_velocity)
        + np.cross(motion.rotation @ body.centre_of_gravity, force))
    axes = other.rotation @ mechanism.joints['last'].frames[0]
    expected = np.r_[axes.T @ force, axes.T @ moment]
    expected[5] = 0.0       # about the axis, only the drive pushes
    np.testing.assert_allclose(live.values[stamp], expected, atol=1e-6 + 1e-6 * abs(force).max())


EXPECTED = {'pressure': _pressure, 'motor_torque': _torque, 'force_torque': _load}
