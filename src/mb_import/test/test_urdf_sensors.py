"""Sensors of URDF, and what <gazebo> adds."""

import numpy as np
import pytest
from read_descriptions import OURS, joint, read, read_text, robot

from mb_model import MechanismError, load_mechanism

ARM = joint('j1', 'a', 'b', '<axis xyz="0 0 1"/>', 'continuous') + joint(
    'j2', 'b', 'c', type_='fixed')


def sensor(rest, type_='imu', reference='b'):
    return (f'<gazebo reference="{reference}"><sensor name="s" type="{type_}">{rest}</sensor>'
            '</gazebo>')


def test_an_imu_has_place_noise_rate_and_topic():
    """Turned by half a turn about x, as it is mounted upside down."""
    imu = read(OURS / 'excavator.urdf')[0].sensors['boom_imu']
    assert (imu.kind, imu.link, imu.frequency, imu.topic) == ('imu', 'boom', 100.0, '/boom/imu')
    assert imu.sigmas == {'rate': 0.003, 'acceleration': 0.05}
    assert imu.biases == {'rate': 0.0004}
    np.testing.assert_allclose(imu.pose.at, [3.5, 0.1, 0.2])
    np.testing.assert_allclose(imu.pose.turn, np.diag([1.0, -1.0, -1.0]), atol=1e-15)


def test_a_sensor_of_urdf_hangs_on_its_parent(tmp_path):
    machine, _ = read_text(tmp_path, robot(
        ARM, '<sensor name="s" type="imu" update_rate="50"><parent link="b"/>'
             '<origin xyz="1 2 3"/></sensor>'))
    assert machine.sensors['s'].frequency == 50.0
    assert machine.sensors['s'].pose.at.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize('reference', ['j2', 'c'])
def test_forces_are_measured_in_the_joint_that_holds_a_link(tmp_path, reference):
    machine, _ = read_text(tmp_path, robot(ARM, sensor(
        '<force_torque><force><x><noise><stddev>0.4</stddev><mean>0.3</mean></noise></x></force>'
        '</force_torque>', 'force_torque', reference)))
    found = machine.sensors['s']
    assert (found.kind, found.joint, found.sigmas) == ('force_torque', 'j2', {'force': 0.4})
    assert found.biases == {'force': pytest.approx(0.3)}


@pytest.mark.parametrize(('interfaces', 'kind'), [
    (('angular_velocity.x', 'linear_acceleration.x', 'orientation.x'), 'imu'),
    (('angular_velocity.z',), 'gyroscope'), (('linear_acceleration.z',), 'accelerometer'),
    (('force.x', 'torque.z'), 'force_torque')])
def test_sensors_of_hardware_are_known_by_their_interfaces(tmp_path, interfaces, kind):
    states = ''.join(f'<state_interface name="{name}"/>' for name in interfaces)
    text = ('<ros2_control name="h" type="sensor"><sensor name="s">' + states
            + '<param name="frame_id">{}</param></sensor></ros2_control>')
    machine, _ = read_text(tmp_path, robot(ARM, text.format('c')))
    assert machine.sensors['s'].kind == kind
    assert (machine.sensors['s'].link, machine.sensors['s'].joint) == (
        ('', 'j2') if kind == 'force_torque' else ('c', ''))
    machine, notes = read_text(tmp_path, robot(ARM, text.format('nowhere')))
    assert not machine.sensors
    assert 'left out: ros2_control h: sensor s: its frame_id nowhere is no link, so nothing ' \
           'says where it is' in notes


def test_what_measures_no_motion_is_left_out(tmp_path):
    machine, notes = read_text(tmp_path, robot(ARM, sensor('', 'camera')))
    assert not machine.sensors
    assert 'left out: sensor s: type camera: it measures no motion or force' in notes


@pytest.mark.parametrize(('text', 'said'), [
    (sensor('<pose>1 2 3</pose>'), r'pose: .1 2 3. must be 6 finite numbers'),
    (sensor('<update_rate>-1</update_rate>'), 'update_rate: -1 must be >= 0'),
    (sensor('<imu><angular_velocity><x><noise><stddev>-1</stddev></noise></x></angular_velocity>'
            '</imu>'), 'angular_velocity: stddev: -1 must be >= 0'),
    (2 * sensor(''), 'there are two sensors of this name')])
def test_wrong_sensors_end_in_words(tmp_path, text, said):
    with pytest.raises(MechanismError, match=r'robot\.urdf: sensor s: ' + said):
        read_text(tmp_path, robot(ARM, text))


def test_what_gazebo_adds_and_nothing_takes_is_said(tmp_path):
    _, notes = read_text(tmp_path, robot(ARM, (
        '<gazebo reference="b"><mu1>0.9</mu1><mu2>0.9</mu2><kp>1</kp><material>Red</material>'
        '<turnGravityOff>true</turnGravityOff><odd/></gazebo>'
        '<gazebo reference="j2"><springStiffness>3</springStiffness></gazebo>'
        '<gazebo reference="none"/><gazebo><plugin filename="wind.so"/>'
        '<plugin filename="libgz_ros2_control-system.so"/></gazebo>')))
    said = [note.removeprefix('left out: ') for note in notes if note.startswith('left out')]
    assert said == [
        'gazebo b: kp, mu1, mu2: contacts and stops are no part of a mechanism',
        'gazebo b: gravity acts on all bodies', 'gazebo b: <odd> is not known',
        'gazebo j2: springStiffness: there is no coordinate for a spring',
        'gazebo none: there is no link or joint of this name', 'gazebo: plugin wind.so']


def test_joints_to_a_base_without_inertia_have_encoders_where_nothing_is_named():
    """The base is held; links without mass inside the machine get none."""
    delta = load_mechanism(OURS / 'delta.urdf')
    assert list(delta.sensors) == [f'motor_{k}_encoder' for k in range(3)]
