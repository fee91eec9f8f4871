"""Sensors and drives of SDF."""

import pytest
from read_descriptions import joint as named_joint, read_text
from read_machines import lines
from sdf_texts import joint, link, machine_of, model

from mb_model import MechanismError
from mb_model.space_api import of_roll_pitch_yaw

NOISE = '<noise type="gaussian"><stddev>{}</stddev><bias_stddev>{}</bias_stddev></noise>'


def with_sensor(inner, pose='<pose>0 0 0.1 0 0 1</pose>', type_='imu'):
    """Return a model whose base has a sensor."""
    sensor = f'<sensor name="s" type="{type_}">{pose}{inner}</sensor>'
    return (f'<model name="m">{link("base", inner=sensor)}'
            f'{link("arm", "<pose>0 0 1 0 0 0</pose>")}{joint("ball")}</model>')


def test_an_imu_has_its_pose_rate_and_noise(tmp_path):
    machine, notes = machine_of(tmp_path, with_sensor(f"""<always_on>1</always_on>
        <update_rate>200</update_rate><topic>/imu</topic><imu>
        <angular_velocity><x>{NOISE.format(2e-4, 1e-5)}</x><y>{NOISE.format(3e-4, 1e-5)}</y>
        </angular_velocity><linear_acceleration><x>{NOISE.format(0.02, 0)}</x>
        </linear_acceleration></imu>"""))
    imu = machine.sensors['s']
    assert (imu.kind, imu.link, imu.frequency, imu.topic) == ('imu', 'base', 200.0, '/imu')
    assert imu.pose.at.tolist() == [0.0, 0.0, 0.1]
    assert imu.pose.turn == pytest.approx(of_roll_pitch_yaw([0, 0, 1]))
    assert (dict(imu.sigmas), dict(imu.biases)) == (
        {'rate': 3e-4, 'acceleration': 0.02}, {'rate': 1e-5})
    assert any('noise of rate from 0.0002 to 0.0003 by axis' in line for line in lines(notes))


def test_noise_of_old_files(tmp_path):
    machine, _ = machine_of(tmp_path, with_sensor(
        '<imu><noise><rate><stddev>2e-4</stddev></rate><accel><stddev>0.3</stddev></accel></noise>'
        '</imu>'), '1.6')
    assert dict(machine.sensors['s'].sigmas) == {'rate': 2e-4, 'acceleration': 0.3}


def test_a_sensor_is_in_another_frame(tmp_path):
    machine, _ = machine_of(tmp_path, with_sensor('', '<pose relative_to="arm">0 0 1 0 0 0</pose>'))
    assert machine.sensors['s'].pose.at == pytest.approx([0, 0, 2])


@pytest.mark.parametrize(('axes', 'body', 'yaw'), [
    ('child', 'arm', 0.0), ('parent', 'base', 0.0), ('sensor', 'arm', 0.6)])
def test_a_force_torque_sensor_reads_about_its_joint(tmp_path, axes, body, yaw):
    """The joint is turned by 0.4 about z in its child, the sensor by 0.2 in the joint."""
    machine, _ = machine_of(tmp_path, model(joint('fixed', f"""<pose>0 1 0 0 0 0.4</pose>
        <sensor name="s" type="force_torque"><pose>0 0 0 0 0 0.2</pose><force_torque>
        <frame>{axes}</frame><force><x>{NOISE.format(0.5, 0.1)}</x></force></force_torque>
        </sensor>""")))
    sensor = machine.sensors['s']
    assert (sensor.kind, sensor.link, sensor.joint) == ('force_torque', body, 'j')
    assert sensor.pose.at == pytest.approx([0, 1, 1] if body == 'base' else [0, 1, 0])
    assert sensor.pose.turn == pytest.approx(of_roll_pitch_yaw([0, 0, yaw]))
    assert (dict(sensor.sigmas), dict(sensor.biases)) == ({'force': 0.5}, {'force': 0.1})


def test_a_wrench_with_the_other_sign_is_named(tmp_path):
    _, notes = machine_of(tmp_path, model(joint('fixed', """<sensor name="s" type="force_torque">
        <force_torque><measure_direction>parent_to_child</measure_direction></force_torque>
        </sensor>""")))
    assert any('its readings have the other sign' in line for line in lines(notes))


def test_sensors_of_one_name_are_called_by_their_links(tmp_path):
    sensor = '<sensor name="s" type="imu"/>'
    machine, _ = machine_of(tmp_path, f"""<model name="m">{link('base', inner=sensor)}
        {link('arm', inner=sensor)}{joint('ball')}</model>""")
    assert {name: sensor.link for name, sensor in machine.sensors.items()} == {
        's': 'base', 'arm_s': 'arm'}


@pytest.mark.parametrize('type_', ['camera', 'gpu_lidar', ''])
def test_other_sensors_are_left_out(tmp_path, type_):
    machine, notes = machine_of(tmp_path, with_sensor('', type_=type_))
    assert machine.sensors == {}
    assert any(line.startswith(f'left out: sensor s: type {type_ or "is missing"}')
               for line in lines(notes))


def test_a_negative_noise_is_an_error(tmp_path):
    with pytest.raises(MechanismError, match='sensor s: angular_velocity: stddev: -1 must be >= 0'):
        machine_of(tmp_path, with_sensor(
            f'<imu><angular_velocity><x>{NOISE.format(-1, 0)}</x></angular_velocity></imu>'))


def test_urdf_and_sdf_read_the_same_of_a_sensor(tmp_path):
    """A mean that is known counts as the deviation of an offset: 0.3, 0.4 and 1.2 make 1.3."""
    inner = """<update_rate>50</update_rate><topic>/t</topic><pose>1 0 0 0 0 1</pose>
        <imu><angular_velocity><x><noise><stddev>0.1</stddev><mean>0.3</mean>
        <bias_mean>0.4</bias_mean><bias_stddev>1.2</bias_stddev></noise></x></angular_velocity>
        <orientation_reference_frame/></imu><odd/>"""
    ours, said = machine_of(tmp_path, with_sensor(inner, ''))
    links = '<link name="world"/><link name="base"/>' + named_joint('j', 'world', 'base')
    theirs, notes = read_text(tmp_path, f"""<robot name="r">{links}<gazebo reference="base">
        <sensor name="s" type="imu">{inner}</sensor></gazebo></robot>""")
    ours, theirs = ours.sensors['s'], theirs.sensors['s']
    assert ours.biases == theirs.biases == {'rate': pytest.approx(1.3)}
    assert ours.sigmas == theirs.sigmas == {'rate': 0.1}
    assert (ours.frequency, ours.topic) == (theirs.frequency, theirs.topic) == (50.0, '/t')
    assert ours.pose.turn == pytest.approx(theirs.pose.turn)
    lines_of_sensor = [line for line in lines(said) if ' sensor s' in line]
    assert lines_of_sensor == [line for line in notes if ' sensor s' in line]
    assert len(lines_of_sensor) == 3


HINGE = joint('revolute', '<axis><xyz>1 0 0</xyz></axis>')


@pytest.mark.parametrize(('attributes', 'inner', 'command'), [
    ('name="gz::sim::systems::JointController"', '', 'velocity'),
    ('name="x" filename="libignition-gazebo-joint-controller-system.so"', '', 'velocity'),
    ('name="gz::sim::systems::JointController"',
     '<use_force_commands>true</use_force_commands>', 'effort'),
    ('name="gz::sim::systems::JointPositionController"', '<topic>/go</topic>', 'position'),
    ('name="gz::sim::systems::ApplyJointForce"', '', 'effort'),
    ('name="p" filename="gz-sim-joint-position-controller-system"', '', 'position')])
def test_controllers_of_joints_are_drives(tmp_path, attributes, inner, command):
    machine, _ = machine_of(tmp_path, model(
        HINGE, f'<plugin {attributes}><joint_name>j</joint_name>{inner}</plugin>'))
    drive, = machine.drives.values()
    assert (drive.name, dict(drive.terms), drive.commands) == (
        f'j_{command}', {'j': 1.0}, (command,))
    assert drive.topic == ('/go' if 'topic' in inner else '')


@pytest.mark.parametrize(('plugin', 'words'), [
    ('<plugin name="p" filename="libgazebo_ros_control.so"/>',
     'plugin p: libgazebo_ros_control.so is a plugin of a simulator'),
    ('<plugin name="gz::sim::systems::JointController"><joint_name>k</joint_name></plugin>',
     "there is no joint 'k' with one degree of freedom")])
def test_other_plugins_are_left_out(tmp_path, plugin, words):
    machine, notes = machine_of(tmp_path, model(HINGE, plugin))
    assert machine.drives == {}
    assert any(words in line for line in lines(notes))
