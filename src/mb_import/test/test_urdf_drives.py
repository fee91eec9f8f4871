"""Drives of URDF: ros2_control and transmissions; power is kept."""

import numpy as np
import pytest
from read_descriptions import OURS, joint, read, read_text, robot

from mb_model import MechanismError

ELBOW = joint('j1', 'a', 'b', '<axis xyz="0 0 1"/>', 'continuous') + joint(
    'j2', 'b', 'c', '<axis xyz="0 0 1"/>', 'continuous')


@pytest.fixture(scope='module')
def machine():
    return read(OURS / 'transmissions.urdf')[0]


def efforts(machine, names, actuators):
    """Return the efforts on joints `names` of efforts by actuator."""
    return [sum(effort * machine.drives[name].terms.get(joint, 0.0)
                for name, effort in actuators.items()) for joint in names]


def test_a_four_bar_linkage_keeps_power(machine):
    """Rates as the transmission of ros2_control takes them; efforts as its README's by hand."""
    n_a1, n_a2, n_j1, n_j2 = 10.0, -20.0, 2.0, 0.5
    rates = {'motor_1': 0.7, 'motor_2': -1.3}
    qd_1 = rates['motor_1'] / (n_j1 * n_a1)
    qd_2 = (rates['motor_2'] / n_a2 - rates['motor_1'] / (n_j1 * n_a1)) / n_j2
    given = {'motor_1': 0.3, 'motor_2': 0.9}
    tau = efforts(machine, ('shoulder', 'elbow'), given)
    np.testing.assert_allclose(tau, [n_j1 * n_a1 * 0.3 + n_a2 * 0.9, n_j2 * n_a2 * 0.9])
    assert tau[0] * qd_1 + tau[1] * qd_2 == pytest.approx(sum(
        given[name] * rates[name] for name in given))


def test_a_four_bar_linkage_holds_an_arm_as_computed_by_hand(tmp_path):
    """Links of 1 m at 30 and -20 degrees, 2 kg and 1 kg: 16.9914 and 4.6092 N m of the motors."""
    pair = ''.join(f'<actuator name="m{k}"><role>actuator{k}</role></actuator>'
                   f'<joint name="j{k}"><role>joint{k}</role></joint>' for k in (1, 2))
    machine, _ = read_text(tmp_path, robot(
        ELBOW, '<transmission name="t"><type>transmission_interface/FourBarLinkageTransmission'
               f'</type>{pair}</transmission>'))
    shoulder, elbow = efforts(machine, ('j1', 'j2'), {'m1': 16.9914, 'm2': 4.6092})
    assert (shoulder, elbow) == (pytest.approx(21.6006, abs=1e-4), 4.6092)
    torque = 9.81 * np.array([2.0 * 0.5 * np.cos(np.radians(30)) + np.cos(np.radians(30)),
                              0.5 * np.cos(np.radians(20))])
    assert (shoulder, elbow) == (pytest.approx(sum(torque), abs=1e-4),
                                 pytest.approx(torque[1], abs=1e-4))


def test_a_differential_keeps_power(machine):
    """Its joints are listed in the other order: roles count."""
    rates = {'left': 0.4, 'right': -1.1}
    pitch = (rates['left'] / 3.0 + rates['right'] / 3.0) / (2.0 * 4.0)
    roll = (rates['left'] / 3.0 - rates['right'] / 3.0) / (2.0 * 2.0)
    given = {'left': 0.6, 'right': 0.25}
    tau = efforts(machine, ('pitch', 'roll'), given)
    assert tau[0] * pitch + tau[1] * roll == pytest.approx(sum(
        given[name] * rates[name] for name in given))
    assert machine.drives['left'].commands == ('velocity',)


def test_a_rotor_is_seen_through_its_gear(machine):
    assert machine.drives['pinion'].terms == {'stroke': 150.0}
    assert machine.joints['stroke'].armature == pytest.approx(2e-5 * 150.0 ** 2)


def test_joints_of_transmissions_are_driven_by_these_alone(machine):
    assert set(machine.drives) == {'motor_1', 'motor_2', 'left', 'right', 'pinion'}
    assert machine.drives['motor_2'].commands == ('effort',)
    assert all(one.actuated for one in machine.joints.values())
    assert {sensor.joint for sensor in machine.sensors.values()} == {'shoulder', 'elbow'}


def test_interfaces_say_which_joints_are_driven_and_measured():
    machine, _ = read(OURS / 'gripper.urdf')
    assert machine.drives['finger'].commands == ('effort', 'position')
    assert [machine.joints[name].actuated for name in ('finger', 'pad_pin', 'rod_pin')] == [
        True, False, None]
    assert [sensor.joint for sensor in machine.sensors.values()] == ['finger', 'pad_pin']
    assert (machine.joints['finger'].stiffness, machine.joints['finger'].rest) == (0.7, -0.2)


def test_mimics_of_hardware_and_of_plugins_are_relations(tmp_path):
    machine, _ = read_text(tmp_path, robot(
        ELBOW, '<ros2_control name="h" type="system"><joint name="j2"><param name="mimic">j1'
               '</param><param name="multiplier">-2</param></joint></ros2_control>'))
    assert machine.relations['j2_mimic'].terms == {'j2': 1.0, 'j1': 2.0}
    machine, notes = read_text(tmp_path, robot(
        ELBOW, '<gazebo><plugin filename="mimic.so"><joint>j2</joint><mimicJoint>j1</mimicJoint>'
               '<multiplier>3</multiplier><offset>0.1</offset></plugin></gazebo>'))
    assert machine.relations['j2_mimic'].terms == {'j2': 1.0, 'j1': -3.0}
    assert machine.relations['j2_mimic'].total == 0.1
    assert not any('plugin' in note for note in notes)


@pytest.mark.parametrize(('text', 'said'), [
    ('<type>x/SimpleTransmission</type><joint name="j1"/>', '0 elements <actuator>, expected 1'),
    ('<type>SimpleTransmission</type><joint name="j1"/><actuator name="m">'
     '<mechanicalReduction>0</mechanicalReduction></actuator>', '0 must be another number'),
    ('<type>SimpleTransmission</type><joint name="j1"/><actuator name="m">'
     '<mechanicalReduction>ten</mechanicalReduction></actuator>', "'ten' must be 1 finite number"),
    ('<type>DifferentialTransmission</type><joint name="j1"/><actuator name="m"/>',
     '1 elements <actuator>, expected 2')])
def test_wrong_transmissions_end_in_words(tmp_path, text, said):
    with pytest.raises(MechanismError, match=r'robot\.urdf: transmission t: .*' + said):
        read_text(tmp_path, robot(ELBOW, f'<transmission name="t">{text}</transmission>'))


def test_unknown_transmissions_and_interfaces_are_left_out(tmp_path):
    machine, notes = read_text(tmp_path, robot(
        ELBOW, '<transmission name="t"><type>x/WheelTransmission</type></transmission>'
               '<transmission name="u"><type>SimpleTransmission</type><joint name="none"/>'
               '<actuator name="m"/></transmission>'
               '<ros2_control name="h" type="system"><joint name="j1">'
               '<command_interface name="stiffness"/><state_interface name="temperature"/></joint>'
               '<joint name="none"/><gpio name="lamp"/></ros2_control>'))
    assert not machine.drives
    assert [note.partition(':')[0] for note in notes if 'hangs' not in note].count('left out') == 6
