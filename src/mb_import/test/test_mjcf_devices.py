"""Actuators, sensors, ranges and notes of MJCF."""

from pathlib import Path

from mujoco_truth import read_mjcf
import numpy as np
import pytest

from mb_model import MechanismError, load_mechanism

OURS = Path(__file__).parent / 'descriptions'


def machine_of(folder, name, **section):
    """Return (Machine, its notes) of a description of ours."""
    text = (OURS / f'{name}.xml').read_text(encoding='utf-8')
    return read_mjcf(folder, text, **section)[:2]


def test_a_tendon_drives_both_cranks_by_its_coefficients(tmp_path):
    machine, notes = machine_of(tmp_path, 'gripper')
    drive = machine.drives['close']
    assert drive.terms == {'right_crank_pin': 0.5, 'left_crank_pin': 0.5}
    assert drive.commands == ('position',)
    assert machine.joints['left_crank_pin'].effort == 2.5        # 5 N m by 0.5
    assert machine.joints['left_crank_pin'].actuated is True
    assert machine.joints['left_link_pin'].actuated is False
    assert 'changed: actuator close: it takes position; its gains are not read' in notes


def test_motors_and_servos_are_drives_with_their_gears(tmp_path):
    machine, notes = machine_of(tmp_path, 'biped')
    assert machine.drives['left_knee_motor'].terms == {'left_knee': 50.0}
    assert machine.joints['left_knee'].effort == 100.0
    assert {name: drive.commands for name, drive in machine.drives.items()} == {
        'left_knee_motor': ('effort',), 'left_pitch_servo': ('position',),
        'left_yaw_servo': ('velocity',)}
    assert 'left out: actuator hip: it acts on a joint, expected hinges and slides' in notes


def test_sensors_are_where_their_sites_are(tmp_path):
    machine, notes = machine_of(tmp_path, 'biped')
    gyro, place = machine.sensors['gyro'], machine.sensors['place']
    assert (gyro.kind, gyro.link, gyro.sigmas) == ('gyroscope', 'pelvis', {'rate': 0.003})
    np.testing.assert_allclose(gyro.pose.at, [0.05, 0.0, 0.04])
    np.testing.assert_allclose(gyro.pose.turn, np.diag([1.0, -1.0, -1.0]), atol=1e-12)
    assert (place.kind, place.sigmas) == ('position', {})
    force = machine.sensors['left_force']
    assert (force.kind, force.joint) == ('force_torque', 'left_ankle')
    assert force.sigmas == {'force': 0.4, 'torque': 0.02}
    assert 'left_torque' not in machine.sensors
    assert machine.frames['left_sole'][0] == 'left_foot'
    assert any(note.startswith('left out: sensor knee_rate') for note in notes)
    assert any(note.startswith('left out: sensor attitude: framequat') for note in notes)


def test_a_biped_is_a_mechanism_with_its_sensors():
    biped = load_mechanism(OURS / 'biped.xml')
    assert {*biped.raw['sensors']} >= {'gyro', 'acc', 'place', 'left_force'}
    assert biped.raw['sensors']['place']['point']['body'] == 'pelvis'
    assert biped.g == 6 + 3 + 1 + 1 + 3 + 1 + 1
    np.testing.assert_allclose(biped.body_motion('pelvis', biped.q0).position, [0, 0, 0.95],
                               atol=1e-12)


def test_an_angle_and_its_rate_are_one_encoder(tmp_path):
    machine, _ = machine_of(tmp_path, 'gripper')
    (encoder,) = machine.sensors.values()
    assert (encoder.kind, encoder.joint) == ('encoder', 'right_crank_pin')
    assert encoder.sigmas == {'angle': 0.002, 'rate': 0.01}


def test_ranges_in_degrees_are_radians(tmp_path):
    machine, _ = machine_of(tmp_path, 'biped')
    knee = machine.joints['left_knee']
    np.testing.assert_allclose([knee.lower, knee.upper, knee.drawn], np.radians([5, 140, 20]))
    np.testing.assert_allclose(machine.joints['left_ankle'].rest, np.radians(5))
    assert machine.joints['left_ankle'].upper == np.inf


def test_a_keyframe_is_a_pose_to_take(tmp_path):
    _, notes = machine_of(tmp_path, 'biped')
    (note,) = [one for one in notes if 'keyframe home' in one]
    assert 'left_pitch: -0.3, left_knee: 0.6' in note


@pytest.mark.parametrize('word', ['equality cam: polycoef 0 1 0.5 0 0', 'equality held: it is not',
                                  'geom floor: a plane'])
def test_what_has_no_counterpart_is_left_out_in_words(word, tmp_path):
    _, notes = machine_of(tmp_path, 'geared_arm')
    assert any(note.startswith(f'left out: {word}') for note in notes)


def test_strict_forbids_to_leave_something_out(tmp_path):
    with pytest.raises(MechanismError, match=r'left out, which import\.strict forbids'):
        machine_of(tmp_path, 'geared_arm', strict=True)


def test_gravity_is_that_of_the_file_or_said(tmp_path):
    machine, notes = machine_of(tmp_path, 'geared_arm')
    np.testing.assert_allclose(machine.gravity, [0.5, 0.0, -9.7])
    assert not any('gravity' in note for note in notes)
    machine, notes = machine_of(tmp_path, 'biped')
    np.testing.assert_allclose(machine.gravity, [0.0, 0.0, -9.81])
    assert any(note.startswith('guessed: option: gravity 0 0 -9.81') for note in notes)


def test_the_base_is_what_the_options_say(tmp_path):
    assert machine_of(tmp_path, 'biped', base='fixed')[0].joints['pelvis_fixed'].kind == 'weld'
    loose = machine_of(tmp_path, 'gripper', base='floating')[0].joints['palm_fixed']
    assert (loose.kind, loose.links) == ('free', ('world', 'palm'))
    with pytest.raises(MechanismError, match=r'import\.base: floating'):
        machine_of(tmp_path, 'geared_arm', base='floating')
