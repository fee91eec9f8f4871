"""Springs, dampers, sensors and drives of mechanisms survive a description."""

import numpy as np
import pytest
from round_trips import bare

from mb_import.drawing import drawn_poses
from mb_import.mapping.reading import read_machine
from mb_import.notes import Notes
from mb_import.writers.files import description_files
from mb_import.writers.machine import machine_of
from mb_model import Mechanism, MechanismError, load_mechanism
from mb_model.file_api import read_mechanism_file

FORCED = {'four_bar_spring_damper': ['theta'], 'quadruped_leg': ['abduction', 'hip', 'drive'],
          'flyball_governor': ['bearing', 'guide', 'hinge1', 'hinge2']}


def written(name, format_, folder):
    """Return (mechanism, its Machine, Machine that is read back, path of the last file, notes)."""
    mechanism, notes = load_mechanism(name), Notes(name)
    files = description_files(mechanism, format_, notes)
    for file, text in files.items():
        (folder / file).write_text(text, encoding='utf-8')
    back, _ = read_machine(folder / next(iter(files)))
    return (mechanism, machine_of(mechanism, Notes(name)), back, folder / [*files][-1],
            [str(note) for note in notes.notes])


@pytest.mark.parametrize(('name', 'format_'), [
    ('four_bar_spring_damper', 'mjcf'), ('flyball_governor', 'mjcf'),
    ('quadruped_leg', 'mjcf'), ('quadruped_leg', 'sdf'), ('quadruped_leg', 'urdf')])
def test_springs_and_dampers_push_as_before(name, format_, tmp_path):
    mechanism, machine, _, path, _ = written(name, format_, tmp_path)
    raw, _ = read_mechanism_file(str(path))
    named = [one if one in raw['coordinates'] else f'{one}_joint' for one in FORCED[name]]
    back = Mechanism({key: value for key, value in raw.items() if key not in (
        'sensors', 'sensor_groups', 'drives', 'origin')} | {'independent': named}, 'back')
    shift = [machine.joints[joint].drawn if format_ == 'sdf' else 0.0 for joint in FORCED[name]]
    rng = np.random.default_rng(5)
    for _ in range(4):
        z = mechanism.z0 + rng.uniform(-0.05, 0.05, mechanism.g)
        zd = rng.uniform(-0.5, 0.5, mechanism.g)
        ours, theirs = mechanism.forward_dynamics(z, zd), back.forward_dynamics(z - shift, zd)
        free = bare(mechanism).forward_dynamics(z, zd)
        assert np.abs(ours - free).max() > 1e-2      # they do push
        np.testing.assert_allclose(theirs, ours, rtol=1e-8, atol=1e-8 * np.abs(ours).max())


@pytest.mark.parametrize('name', ['excavator', 'delta', 'four_bar_spring_damper', 'three_rrr'])
def test_sensors_are_in_an_mjcf_file_where_they_were(name, tmp_path):
    mechanism, machine, back, _, notes = written(name, 'mjcf', tmp_path)
    assert {*machine.sensors} == {*back.sensors}
    left_out = {note.split()[2].removeprefix('sensors.').rstrip(':') for note in notes
                if 'sensors.' in note and 'MJCF has none' not in note}
    assert {*machine.sensors} == {*mechanism.sensors} - left_out
    before, after = drawn_poses(machine, {}), drawn_poses(back, {})
    for key, one in machine.sensors.items():
        other = back.sensors[key]
        assert (other.kind, other.joint, other.sigmas) == (one.kind, one.joint, one.sigmas)
        if one.pose is not None:
            ours, theirs = before[one.link].then(one.pose), after[other.link].then(other.pose)
            np.testing.assert_allclose(theirs.at, ours.at, atol=1e-9)
            np.testing.assert_allclose(theirs.turn, ours.turn, atol=1e-9)
    assert {*back.drives} == {*mechanism.drives}


@pytest.mark.parametrize('format_', ['urdf', 'sdf'])
def test_parts_of_an_imu_are_one_sensor_of_gazebo(format_, tmp_path):
    _, machine, back, _, notes = written('excavator', format_, tmp_path)
    imus = {name: one for name, one in back.sensors.items() if one.kind == 'imu'}
    assert {*imus} == {'house_imu', 'boom_imu', 'arm_imu', 'bucket_imu'}
    drawn = {} if format_ == 'sdf' else {
        name: one.drawn for name, one in machine.joints.items()}
    before, after = drawn_poses(machine, {}), drawn_poses(back, drawn)
    for name, imu in imus.items():
        one = machine.sensors[name.replace('imu', 'accelerometer')]
        assert imu.sigmas == {'rate': 0.0027, 'acceleration': 0.039}
        assert (imu.frequency, imu.topic) == (200.0, name)
        np.testing.assert_allclose(after[imu.link].then(imu.pose).at,
                                   before[one.link].then(one.pose).at, atol=1e-9)
    assert sum('there is no <sensor> of this kind' in note for note in notes) == 4


@pytest.mark.parametrize(('format_', 'called'), [
    ('urdf', 'phi{}'), ('mjcf', 'phi{}'), ('sdf', 'drive{}_effort')])
def test_drives_are_transmissions_motors_and_plugins(format_, called, tmp_path):
    _, _, back, _, _ = written('delta', format_, tmp_path)
    assert {drive.name: dict(drive.terms) for drive in back.drives.values()} == {
        called.format(k): {f'drive{k}': 1.0} for k in (1, 2, 3)}


@pytest.mark.parametrize('format_', ['sdf', 'mjcf'])
def test_a_machine_without_masses_is_a_urdf_alone(format_, tmp_path):
    joint = {'kind': 'revolute', 'bodies': ['ground', 'bar'], 'at': [[0, 0, 1], [0, 0, 0]],
             'axis': [0, 1, 0]}
    swing = Mechanism({'name': 'swing', 'dimension': 3, 'bodies': {'bar': {
        'points': {'end': [1, 0, 0]}}}, 'joints': {'pin': joint}, 'coordinates': {
            'angle': {'kind': 'angle', 'joint': 'pin'}}, 'independent': ['angle']}, 'swing.yaml')
    with pytest.raises(MechanismError, match=r'bodies\.bar: its mass is not known'):
        description_files(swing, format_, Notes('swing'))
    files = description_files(swing, 'urdf', Notes('swing'))
    for file, text in files.items():
        (tmp_path / file).write_text(text, encoding='utf-8')
    assert load_mechanism(str(tmp_path / 'swing_loops.yaml')).described.unweighed == ('bar',)


@pytest.mark.parametrize('format_', ['urdf', 'mjcf'])
def test_a_limit_on_one_side_is_said(format_):
    raw = load_mechanism('six_axis_arm').raw
    lift = raw['coordinates']['q2'] | {'limits': {'lower': -2.0}}
    coordinates = raw['coordinates'] | {'q2': lift}
    notes = Notes('arm')
    description_files(Mechanism(raw | {'coordinates': coordinates}, 'arm.yaml'), format_, notes)
    assert any('joints.lift: a limit on one side' in str(note) for note in notes.notes)


def test_what_a_format_lacks_is_said(tmp_path):
    notes = written('four_bar_spring_damper', 'urdf', tmp_path)[-1]
    assert 'left out: forces.spring: a spring between points: URDF has none' in notes
    notes = written('four_bar_spring_damper', 'mjcf', tmp_path)[-1]
    assert not any('forces' in note for note in notes)
    assert 'left out: sensors.crank_gyro: rate 200 Hz: MJCF has none' in notes
