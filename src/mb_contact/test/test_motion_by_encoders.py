"""Pose and velocity by the encoders of the drives, accelerations alone by the estimate."""

from contact_states import MS, moving, robot
from message_bags import write_messages
from message_bench import MessageBench
import numpy as np
import pytest
from sensor_msgs.msg import JointState
import yaml

from mb_contact.arguments import ContactError
from mb_contact.commands import contact_thresholds
from mb_contact.detection.contact import DetectionSettings
from mb_contact.detection.detector import ContactDetector
from mb_contact.detection.encoder_motion import EncoderMotion
from mb_contact.detection.state import State
from mb_contact.detection.stream import ContactStream
from mb_contact.external_force import DirectMethod, DirectMethodSettings
from mb_contact.nodes import judge_bag
from mb_contact.nodes.contact_detector import ContactDetectorNode
from mb_interfaces.msg import ContactEstimate, MechanismState
from mb_model import load_mechanism
from mb_ros.node_bench import on_bench, spin_until
from mb_ros.stamps import nanoseconds, stamp
from mb_ros.states import doubles, joint_state, mechanism_state
from mb_sensors import SensorError

TORQUES, READINGS, STATES = 'prototype/drive_torques', 'drive_encoders', 'estimator/state'
CONTACTS = 'contact_detector/contact'
ENCODERS = ['drive_encoder1', 'drive_encoder2', 'drive_encoder3']
ASTRAY = np.array([0.02, -0.01, 0.05])          # pose and velocity of the estimate
COUNT = 40


def run():
    """Return (stamps, zdd, torques, angles) of a robot that is pushed from its 20th ms on."""
    when, z, _, zdd, torques = moving(np.outer(np.arange(COUNT) >= COUNT // 2, [12.0, -5.0, 0.0]))
    rows, near, angles = robot().indices(robot().drives), None, []
    for row in z:
        near = robot().assemble(row, near=near)
        angles.append(near[rows])
    return when, z, zdd, torques, np.array(angles)


def expected(when, zdd, torques, angles):
    """Return the force by the library's direct method (k, g), from the second instant on."""
    direct = DirectMethod(robot(), settings=DirectMethodSettings(motion='encoders'))
    nothing = np.zeros(3)
    speeds = np.diff(angles, axis=0) / 1e-3
    return np.array([direct.force(nothing, nothing, *row) for row in zip(
        zdd[1:], torques[1:], angles[1:], speeds, strict=True)])


@pytest.mark.parametrize('order', [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_the_pose_is_that_of_the_encoders_whatever_comes_first(order):
    when, z, zdd, torques, angles = run()
    stream = ContactStream(
        ContactDetector(robot(), settings=DetectionSettings(method='direct')),
        encoders=EncoderMotion(robot(), ['drive_encoders']))
    judged = []
    for row in range(COUNT):
        at = int(when[row])
        adding = [lambda at=at, row=row: stream.add_state(
                      State(at, z[row] + ASTRAY, ASTRAY, zdd[row], None)),
                  lambda at=at, row=row: stream.add_torques(at, torques[row]),
                  lambda at=at, row=row: stream.add_angles(at, angles[row])]
        judged += [one for k in order for one in adding[k]()]
    assert [state.stamp for state, _ in judged] == when[1:].tolist()
    assert stream.without_encoders == 1         # the first, before which nothing is read
    forces = np.array([contact.forces[0].force for _, contact in judged[1:]])
    np.testing.assert_allclose(forces, expected(when, zdd, torques, angles)[1:], atol=1e-6)
    assert [contact.detected for _, contact in judged] == [
        k >= COUNT // 2 for k in range(1, COUNT)]


def test_covariances_are_those_of_the_encoders():
    """Against many readings with their noise."""
    when, z, zdd, _, angles = run()
    motion, sigma = EncoderMotion(robot(), ENCODERS), 7e-6
    P, random = np.diag(np.arange(1.0, 10.0)), np.random.default_rng(1)
    states = []
    for _ in range(2000):
        motion.reset()
        for row in (10, 11):
            motion.hold(int(when[row]), angles[row] + sigma * random.standard_normal(3))
        states.append(motion.moved(State(int(when[11]), z[11], z[11], zdd[11], P), 50 * MS))
    found = np.cov(np.hstack([[state.z for state in states], [state.zd for state in states]]).T)
    claimed = states[0].covariance
    np.testing.assert_allclose(found, claimed[:6, :6],
                               atol=0.1 * np.sqrt(np.outer(*2 * [np.diag(claimed)[:6]])).max())
    np.testing.assert_allclose(np.diag(found), np.diag(claimed)[:6], rtol=0.15)
    np.testing.assert_array_equal(claimed[6:, 6:], P[6:, 6:])
    assert not claimed[:6, 6:].any()


def test_states_without_their_reading_are_left_out():
    when, z, zdd, torques, angles = run()
    stream = ContactStream(
        ContactDetector(robot(), settings=DetectionSettings(method='direct', longest_gap=0.005)),
        encoders=EncoderMotion(robot(), ENCODERS))
    judged = []
    for row in range(COUNT):
        at = int(when[row])
        if row != 10 and not 20 <= row < 27:        # one is lost, then more than longest_gap
            judged += stream.add_angles(at, angles[row])
        judged += stream.add_torques(at, torques[row])
        judged += stream.add_state(State(at, z[row], ASTRAY, zdd[row], None))
    rows = [round((state.stamp - when[0]) / MS) for state, _ in judged]
    assert rows == [k for k in range(1, COUNT) if k != 10 and not 20 <= k < 28]
    assert stream.without_encoders == 10


@pytest.mark.parametrize(('names', 'error', 'text'), [
    (['drive_encoder1'], SensorError, 'expected encoders of 3 coordinates'),
    (['imu'], SensorError, 'reads no coordinate')])
def test_encoders_from_which_no_pose_follows_are_reported(names, error, text):
    with pytest.raises(error, match=text):
        EncoderMotion(robot(), names)


def test_orientations_have_no_encoder():
    stewart = load_mechanism('stewart')
    with pytest.raises(ContactError, match='encoders: not with orientations'):
        EncoderMotion(stewart, ['encoders'])


def sent():
    """Return [(topic, message)] of the run, the estimate astray; one reading of an encoder is none.
    """
    messages = []
    for row, (when, z, zdd, torques, angles) in enumerate(zip(*run(), strict=True)):
        at = int(when)
        held = JointState(name=robot().drives, effort=doubles(torques))
        held.header.stamp = stamp(at)
        messages += [
            (TORQUES, held),
            (READINGS, joint_state(at, ENCODERS, [np.nan, 0.0, 0.0] if row == 10 else angles)),
            (STATES, mechanism_state(robot(), at, z=z + ASTRAY, zd=ASTRAY, zdd=zdd))]
    return messages


@pytest.fixture
def robot_file(tmp_path):
    file = tmp_path / 'robot.yaml'
    file.write_text('extends: three_rrr\nparameters: {drive_coulomb: 0.0}\nname: three_rrr\n')
    return file


def test_the_node_reads_the_encoders_as_its_estimator_does(robot_file):
    """A lost reading costs a state; a broken one is counted."""
    topics = {STATES: MechanismState, TORQUES: JointState, READINGS: JointState}
    with on_bench(ContactDetectorNode, lambda: MessageBench(topics, {CONTACTS: ContactEstimate}),
                  [f'mechanism:={robot_file}', 'publish_rate:=0.0', 'method:=direct',
                   'encoders:=[drive_encoders]', 'isolate:=false']) as (node, bench):
        bench.publish(sent())
        received, (when, _, zdd, torques, angles) = bench.received[CONTACTS], run()
        spin_until(bench, lambda: len(received) == COUNT - 2)
        assert nanoseconds(received[-1].since) == when[COUNT // 2]
        np.testing.assert_allclose(received[-1].forces[0].force, expected(
            when, zdd, torques, angles)[-1], atol=1e-6)
        values = node.health().values
        assert (values['states without encoders'], values['messages rejected']) == (2, 1)


def test_a_bag_is_judged_and_gives_thresholds_by_its_encoders(robot_file, tmp_path, capsys):
    bag, output = str(tmp_path / 'bag'), tmp_path / 'thresholds.yaml'
    write_messages(tmp_path / 'bag', sent())
    asked = [bag, '--mechanism', str(robot_file), '--encoders', 'drive_encoders']
    assert judge_bag.main([*asked, '--set', 'method=direct', '--set', 'isolate=false', '--set',
                           'publish_rate=0.0']) == 0
    shown = capsys.readouterr().out
    assert f'1 contacts; {COUNT - 3} messages judged' in shown
    assert '1 messages rejected' in shown
    assert contact_thresholds.main([*asked, '--method', 'direct', '--factor', '3', '--output',
                                    str(output)]) == 0
    written = yaml.safe_load(output.read_text())['contact_detector']['ros__parameters']
    when, _, zdd, torques, angles = run()
    assert written['encoders'] == ['drive_encoders']
    assert written['direct_threshold'] == pytest.approx(
        3.0 * np.abs(expected(when, zdd, torques, angles)[1:]).max(axis=0), rel=1e-3, abs=1e-3)
