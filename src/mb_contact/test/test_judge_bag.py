"""Contacts from bags: as the node gives them, with commanded and with measured torques."""

from contact_states import MS, moving, robot
from message_bags import read_messages, write_messages
from message_bench import MessageBench
import numpy as np
import pytest
from sensor_msgs.msg import JointState
from test_weigh_bag import STATE, stamped

from mb_contact.nodes import judge_bag
from mb_contact.nodes.contact_detector import ContactDetectorNode
from mb_interfaces.msg import ContactEstimate, MechanismState
from mb_ros.node_bench import on_bench, spin_until
from mb_ros.states import doubles, mechanism_state

NOISE = np.diag(np.square([1e-5] * 3 + [1e-3, 1e-3, 1e-2] + [0.06, 0.06, 1.4])).ravel()
TORQUES, MOTORS = '/prototype/drive_torques', '/motors'
CONTACT = '/contact_detector/contact'
ROBOT = """\
extends: three_rrr
name: three_rrr
parameters: {drive_coulomb: 0.0}
sensors:
  motor1: {kind: motor_torque, drive: drive1, sigma: 0.1, rate: 1000.0, topic: motors}
  motor2: {kind: motor_torque, drive: drive2, sigma: 0.1, rate: 1000.0, topic: motors}
  motor3: {kind: motor_torque, drive: drive3, sigma: 0.1, rate: 1000.0, topic: motors}
sensor_groups: {motors: [motor1, motor2, motor3]}
"""


def messages(measured, touched=True):
    """Return [(topic, message)] of 60 ms, the last 20 with a push through the platform's centre."""
    outside = np.outer(np.arange(60) >= 40, [12.0 * touched, -5.0 * touched, 0.0])
    found = []
    for when, z, zd, zdd, torques in zip(*moving(outside), strict=True):
        topic, names, at = ((MOTORS, ['motor1', 'motor2', 'motor3'], when) if measured else
                            (TORQUES, list(robot().drives), when - MS))
        found += [(topic, stamped(JointState(name=names, effort=doubles(torques)), at)),
                  (STATE, mechanism_state(robot(), int(when), z=z, zd=zd, zdd=zdd,
                                          covariance=NOISE))]
    return found


def bench():
    """Return an estimator and drives, and who listens to contacts."""
    return MessageBench({STATE: MechanismState, TORQUES: JointState, MOTORS: JointState},
                        {CONTACT: ContactEstimate})


@pytest.fixture
def robot_file(tmp_path):
    file = tmp_path / 'robot.yaml'
    file.write_text(ROBOT)
    return file


@pytest.mark.parametrize('measured', [False, True])
def test_the_bag_gets_what_the_node_publishes(tmp_path, capsys, robot_file, measured):
    sent = messages(measured)
    write_messages(tmp_path / 'bag', sent)
    asked = ['--torque-sensors', 'motors'] if measured else []
    assert judge_bag.main([str(tmp_path / 'bag'), '--mechanism', str(robot_file), '--output',
                           str(tmp_path / 'out'), *asked]) == 0
    shown = capsys.readouterr().out
    written = [one for _, one in read_messages(tmp_path / 'out', {CONTACT: ContactEstimate})]
    with on_bench(ContactDetectorNode, bench, [
            f'mechanism:={robot_file}', *(['torque_sensors:=[motors]'] if measured else [])],
            ) as (_, around):
        around.publish(sent)
        spin_until(around, lambda: around.count == len(written))
    assert [repr(one) for one in written] == [
        repr(one) for one in around.received[CONTACT]]     # all digits
    assert written[-1].detected
    assert written[-1].hypotheses[0].name == 'platform'
    assert '1 contacts' in shown
    assert 'platform' in shown
    assert 'direct' in shown


def test_states_and_readings_may_be_in_two_bags(tmp_path, capsys, robot_file):
    sent = messages(True)
    write_messages(tmp_path / 'readings', [one for one in sent if one[0] == MOTORS])
    write_messages(tmp_path / 'again', [one for one in sent if one[0] == STATE])
    assert judge_bag.main([str(tmp_path / 'readings'), str(tmp_path / 'again'), '--mechanism',
                           str(robot_file), '--torque-sensors', 'motors']) == 0
    assert '1 contacts' in capsys.readouterr().out


def test_a_bag_with_a_part_of_the_estimates_says_so(tmp_path, capsys, robot_file):
    sent = messages(False)
    kept = [one for k, one in enumerate(sent) if one[0] == TORQUES or k % 10 == 1]
    for name, some, said in (('all', sent, False), ('part', kept, True)):
        write_messages(tmp_path / name, some)
        assert judge_bag.main([str(tmp_path / name), '--mechanism', str(robot_file)]) == 0
        assert ('only 0.2 states for each message of torques' in capsys.readouterr().out) == said


def test_nothing_that_touches_is_no_contact(tmp_path, capsys, robot_file):
    write_messages(tmp_path / 'bag', messages(False, touched=False))
    assert judge_bag.main([str(tmp_path / 'bag'), '--mechanism', str(robot_file)]) == 0
    assert '0 contacts' in capsys.readouterr().out


@pytest.mark.parametrize(('topic', 'asked', 'code', 'words'), [
    (STATE, [], 2, 'prototype/drive_torques: expected one topic of this name'),
    (TORQUES, [], 2, '`ros2 run mb_estimators estimate_bag` makes estimates'),
    (STATE, ['--torque-sensors', 'platform_gyro'], 2, 'gyroscope must be motor_torque'),
    (STATE, ['--set', 'isolation.windou=3'], 2, '--set: isolation.windou: no such setting'),
    (STATE, ['--set', 'gain=[-1.0]'], 2, 'gain')])
def test_what_cannot_be_judged_is_reported_in_a_line(
        tmp_path, capsys, robot_file, topic, asked, code, words):
    write_messages(tmp_path / 'bag', [one for one in messages(False) if one[0] == topic])
    assert judge_bag.main(
        [str(tmp_path / 'bag'), '--mechanism', str(robot_file), *asked]) == code
    shown = capsys.readouterr().err
    assert words in shown
    assert len(shown.strip().splitlines()) == 1


def test_states_and_torques_of_other_times_are_no_success(tmp_path, capsys, robot_file):
    sent = messages(False)
    later = [(topic, stamped(one, 5_000_000_000 + k * MS)) if topic == STATE else (topic, one)
             for k, (topic, one) in enumerate(sent)]
    write_messages(tmp_path / 'bag', later)
    assert judge_bag.main([str(tmp_path / 'bag'), '--mechanism', str(robot_file)]) == 1
    assert 'nothing judged: expected states with torques' in capsys.readouterr().out
