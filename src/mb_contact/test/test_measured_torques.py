"""Torques that motors read: when they acted, how they come, and what is no reading of them."""

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
from mb_contact.detection.state import State
from mb_contact.detection.stream import ContactStream
from mb_contact.detection.torques import torque_source
from mb_contact.nodes.contact_detector import ContactDetectorNode
from mb_estimators import HeldInputs, ReadInputs
from mb_interfaces.msg import ContactEstimate, MechanismState
from mb_ros.node_bench import complaint_of, on_bench, spin_until
from mb_ros.stamps import stamp as to_stamp
from mb_ros.states import mechanism_state

DRIVES = 'drive1', 'drive2', 'drive3'
STATE, MOTORS, CONTACT = '/estimator/state', '/motors', '/contact_detector/contact'
MOTOR = {'kind': 'motor_torque', 'sigma': 0.1, 'rate': 1000.0, 'topic': 'motors'}


def with_motors(**changed):
    """Return the robot with a motor on each drive, some of which are described otherwise."""
    return robot().replace(sensors={f'motor_{drive}': MOTOR | {'drive': drive} | changed.get(
        drive, {}) for drive in DRIVES}, sensor_groups={'motors': [
            f'motor_{drive}' for drive in DRIVES]})


def message(when, torques):
    """Return the message of readings, by drive."""
    found = JointState(name=[f'motor_{drive}' for drive in torques], effort=list(torques.values()))
    found.header.stamp = to_stamp(int(when))
    return found


def states(rows):
    return [State(int(t), *row, None)
            for t, *row in zip(*moving(np.zeros((rows, 3)))[:4], strict=True)]


def judged(measured, torques, left_out=(), **chosen):
    """Return (the stream, {stamp: forces}) of torques (k, d), each of the step before a state."""
    stream, found = ContactStream(ContactDetector(
        robot(), settings=DetectionSettings(**chosen)),
        ReadInputs if measured else HeldInputs), {}
    for k, (state, row) in enumerate(zip(states(len(torques)), torques, strict=True)):
        if k not in left_out:
            stamp = state.stamp if measured else state.stamp - MS
            for one, contact in stream.add_torques(stamp, row):
                found[one.stamp] = [force.force for force in contact.forces]
        for one, contact in stream.add_state(state):
            found[one.stamp] = [force.force for force in contact.forces]
    return stream, found


def swaying(rows, step):
    """Return (stamps, z, zd, zdd, torques) of a robot that sways, and what that needs at stamps."""
    t, mechanism, sway = step * np.arange(1, rows + 1), robot(), np.array([0.02, -0.015, 0.2])
    z, zd, zdd = (sway * (13.0 ** order * np.sin(13.0 * t + order * np.pi / 2))[:, np.newaxis]
                  for order in range(3))
    z, torques, q = z + mechanism.z0, [], mechanism.q0
    for row in zip(z, zd, zdd, strict=True):
        q = mechanism.assemble(row[0], near=q)
        by_torque = np.array([mechanism.velocity(q, one)[mechanism.indices(DRIVES)]
                              for one in np.eye(mechanism.g)])
        torques.append(np.linalg.solve(by_torque, mechanism.inverse_dynamics(*row, near=q)))
    return np.round(1e9 * t).astype(int), z, zd, zdd, np.array(torques)


def largest(measured, step, every=1):
    """Return the largest force by method, of nothing that touches; torques of every k-th state."""
    stream = ContactStream(ContactDetector(robot(), settings=DetectionSettings(
        method='both', gain=(1e4,))), ReadInputs if measured else HeldInputs)
    found = {'direct': [], 'momentum_observer': []}
    for k, (stamp, z, zd, zdd, torques) in enumerate(zip(*swaying(60, step), strict=True)):
        judged = stream.add_state(State(int(stamp), z, zd, zdd, None))
        if k % every == 0:
            judged += stream.add_torques(int(stamp), torques)
        for _, contact in judged:
            for force in contact.forces:
                found[force.method].append(np.abs(force.force))
    return {method: np.max(forces, axis=0) for method, forces in found.items()}


@pytest.mark.parametrize('step', [1e-3, 4e-3])
def test_what_was_read_counts_at_its_stamp(step):
    """Torques that change all the time explain all of the motion; held, they are half a step late.
    """
    read, held = largest(True, step), largest(False, step)
    assert (read['direct'] < 1e-6).all()
    assert (read['momentum_observer'] < 0.05 * held['momentum_observer']).all()
    assert (held['direct'] > 100.0 * 1e-6).all()


def test_between_readings_goes_a_line():
    """Motors that are read with every other state."""
    every, other = largest(True, 1e-3), largest(True, 1e-3, every=2)
    held = largest(False, 1e-3, every=2)
    assert (other['direct'] < 0.05 * held['direct']).all()
    assert (every['momentum_observer'] < 0.2 * held['momentum_observer']).all()


def test_published_torques_are_commands_unless_it_is_said():
    assert torque_source(robot(), DRIVES).inputs is HeldInputs
    assert torque_source(robot(), DRIVES, torques_are='readings').inputs is ReadInputs
    assert torque_source(with_motors(), DRIVES, ['motors'], torques_are='readings'
                         ).inputs is ReadInputs
    with pytest.raises(ContactError, match='torques_are: commands: torque_sensors have readings'):
        torque_source(with_motors(), DRIVES, ['motors'], torques_are='commands')


def test_torques_of_a_gap_are_not_made_up():
    torques = np.tile([0.3, -0.2, 0.1], (40, 1))
    stream, found = judged(True, torques, left_out=(10, 11), longest_gap=0.01)
    assert stream.without_torques == 0
    assert len(found) == 40         # the line to the next reading stands for one or two lost ones
    stream, found = judged(True, torques, left_out=range(10, 30), longest_gap=0.01)
    assert stream.without_torques == 20
    assert not any(11 * MS <= stamp <= 30 * MS for stamp in found)


def test_readings_of_an_instant_come_in_any_number_of_messages():
    source = torque_source(with_motors(), DRIVES, ['motors'])
    assert (source.topic, source.inputs) == ('motors', ReadInputs)
    assert source.take(message(5, {'drive3': 3.0, 'drive1': 1.0})) == []
    assert source.take(message(6, {'drive1': 7.0})) == []
    (stamp, torques), = source.take(message(5, {'drive2': 2.0}))
    assert (stamp, torques.tolist()) == (5, [1.0, 2.0, 3.0])
    for k in range(7, 300):         # the readings of a motor that is lost do not pile up
        assert source.take(message(k, {'drive1': 0.0})) == []
    assert source.take(message(6, {'drive2': 0.0, 'drive3': 0.0})) == []
    with pytest.raises(ValueError, match='no torque of drive1, drive2, drive3'):
        source.take(message(5, {}))


@pytest.mark.parametrize(('torque', 'words'), [
    (81.0, '81 must be finite, and within 80'), (-1e30, '-1e[+]30 must be'), (np.nan, 'nan must'),
    (np.inf, 'inf must')])
def test_what_no_drive_gives_is_no_reading(torque, words):
    source = torque_source(with_motors(), DRIVES, ['motors'], 80.0)
    with pytest.raises(ValueError, match=f'drive2: a torque of {words}'):
        source.take(message(5, {'drive1': 1.0, 'drive2': torque, 'drive3': 2.0}))
    (_, torques), = source.take(message(6, {'drive1': 1.0, 'drive2': -80.0, 'drive3': 2.0}))
    assert torques.tolist() == [1.0, -80.0, 2.0]


@pytest.mark.parametrize(('names', 'changed', 'words'), [
    (['motor_drive1'], {}, 'they read drive1, expected one on each of drive1, drive2, drive3'),
    (['motors', 'platform_gyro'], {}, 'platform_gyro: gyroscope must be motor_torque'),
    (['motors'], {'drive2': {'topic': 'other'}}, 'topics motors, other, expected one')])
def test_what_does_not_read_every_drive_is_refused(names, changed, words):
    with pytest.raises(ContactError, match=words):
        torque_source(with_motors(**changed), DRIVES, names)


def bench():
    """Return an estimator and motors, and who listens to contacts."""
    return MessageBench({STATE: MechanismState, MOTORS: JointState}, {CONTACT: ContactEstimate})


def test_the_node_takes_readings_of_motors(tmp_path):
    """Each in a message of its own, as of a driver that reads one motor after the other."""
    file, outside = tmp_path / 'robot.yaml', np.outer(np.arange(40) >= 20, [12.0, -5.0, 0.0])
    file.write_text(with_motors().text)
    with on_bench(ContactDetectorNode, bench, [
            f'mechanism:={file}', 'torque_sensors:=[motors]', 'publish_rate:=0.0',
            'method:=direct']) as (_, around):
        for when, z, zd, zdd, torques in zip(*moving(outside), strict=True):
            around.publish([(STATE, mechanism_state(robot(), int(when), z=z, zd=zd, zdd=zdd))])
            around.publish((MOTORS, message(when, {drive: torque}))
                           for drive, torque in zip(DRIVES, torques.tolist(), strict=True))
        spin_until(around, lambda: around.count == 40)
    assert [one.detected for one in around.received[CONTACT]] == [False] * 20 + [True] * 20


def test_thresholds_of_a_bag_are_for_the_torques_that_motors_read(tmp_path):
    """What motors read is 2 N m more on one drive than what is commanded: the robot is pushed."""
    file, bag, output = (tmp_path / name for name in ('robot.yaml', 'bag', 'thresholds.yaml'))
    file.write_text(with_motors().text)
    sent = []
    for state in states(20):
        sent.append((STATE, mechanism_state(
            robot(), state.stamp, z=state.z, zd=state.zd, zdd=state.zdd)))
        sent += [(MOTORS, message(state.stamp, {drive: torque}))
                 for drive, torque in zip(DRIVES, (2.3, -0.2, 0.1), strict=True)]
    write_messages(bag, sent)
    assert contact_thresholds.main(
        [str(bag), '--mechanism', str(file), '--method', 'direct', '--factor', '1',
         '--torque-sensors', 'motors', '--output', str(output)]) == 0
    found = yaml.safe_load(output.read_text())['contact_detector']['ros__parameters']
    assert found['torque_sensors'] == ['motors']
    z = np.array([state.z for state in states(20)])
    R = [robot().R(robot().assemble(row))[robot().indices(DRIVES)] for row in z[[1, -1]]]
    expected = np.abs([jacobian.T @ [2.0, 0.0, 0.0] for jacobian in R])
    np.testing.assert_allclose(found['direct_threshold'], expected.max(axis=0), rtol=2e-2)


def test_wrong_sensors_end_the_node_in_words(capfd):
    assert 'torque_sensors: platform_gyro' in complaint_of(
        ContactDetectorNode, ['torque_sensors:=[platform_gyro]'], capfd)
