"""Topics of sensors and their messages: what drivers publish is what estimators read."""

from dataclasses import replace

from hypothesis import given
from hypothesis.strategies import permutations
import numpy as np
import pytest
from sensor_entries import KEYS, KEYS_IN_SPACE, MACHINE, MACHINE_IN_SPACE
from sensor_msgs.msg import Imu, JointState

from mb_model import load_mechanism
from mb_sensors import SensorError, sensors_of
from mb_sensors.nodes.kept_message import KeptMessage, reading_type
from mb_sensors.topics import SensorTopic, bundled, by_topic


def sensor_of(kind):
    entry = {'kind': kind, 'sigma': 0.1, **KEYS[kind]}
    mechanism = load_mechanism('four_bar').replace(**MACHINE, sensors={'probe': entry})
    return sensors_of(mechanism, 'probe')[0]


def sensor_in_space(kind):
    entry = {'kind': kind, 'sigma': 0.1, **KEYS_IN_SPACE[kind]}
    return sensors_of(load_mechanism('six_axis_arm').replace(
        **MACHINE_IN_SPACE, sensors={'probe': entry}), 'probe')[0]


@pytest.mark.parametrize(('make', 'kind'), [(sensor_of, kind) for kind in KEYS] + [
    (sensor_in_space, kind) for kind in KEYS_IN_SPACE])
def test_a_reading_passes_through_its_message(make, kind):
    sensor = make(kind)
    values = np.array([0.25, -7.0, 0.5, 3.0, 1.0, -2.0])[:len(sensor.channels)]
    if sensor.is_rotation:
        values *= 0.25      # less than half a turn
    topic = SensorTopic([sensor])
    kept = KeptMessage(topic, 'four_bar')
    kept.filled(3, [(sensor, 2.0 * values)])
    message = kept.filled(10 ** 9, [(sensor, values)])
    assert isinstance(message, reading_type(topic))
    assert (message.header.stamp.sec, message.header.stamp.nanosec) == (1, 0)
    (name, read), = topic.readings(message)
    assert name == 'probe'
    if sensor.is_rotation:      # it becomes a quaternion
        np.testing.assert_allclose(read, values, rtol=1e-12)
    else:
        np.testing.assert_array_equal(read, values)


@pytest.mark.parametrize('group', ['drive_encoders', 'imu'])
def test_readings_of_one_device_pass_through_its_message(group):
    """All of them, or the ones that have come."""
    robot = load_mechanism('three_rrr')
    (topic,) = by_topic(sensors_of(robot, group)).values()
    kept = KeptMessage(topic, robot.name)
    for read_now in ((0, 1, 2), (2, 0), (1,), (0, 1)):
        sent = [(topic.sensors[k], np.arange(1.0, 1.0 + len(topic.sensors[k].channels)) / (k + 3.0))
                for k in read_now if k < len(topic.sensors)]
        read = topic.readings(kept.filled(7, sent))
        assert {name: list(values) for name, values in read} == {
            sensor.name: values.tolist() for sensor, values in sent}


def test_a_message_has_the_noise_that_its_sensor_has_now():
    sensor = sensor_of('gyroscope')
    kept = KeptMessage(SensorTopic([sensor]), 'four_bar')
    for sigma in (0.1, 0.5):
        noisy = sensor.with_settings(replace(sensor.settings, sigma=sigma))
        message = kept.filled(7, [(noisy, [1.0])])
        assert message.angular_velocity_covariance[8] == pytest.approx(sigma ** 2)


def test_joints_without_names_are_those_of_a_sensor_that_is_alone():
    sensors = sensors_of(load_mechanism('three_rrr'), 'drive_encoders')
    alone, group = SensorTopic(sensors[:1]), SensorTopic(sensors)
    assert alone.readings(JointState(position=[0.5])) == [('drive_encoder1', [0.5])]
    assert group.readings(JointState(position=[0.5])) == [('drive_encoder1', [])]
    assert group.readings(JointState(name=['other'], position=[0.5])) == []
    turned = JointState(name=['drive_encoder3', 'other', 'drive_encoder1'], position=[3.0, 4.0])
    assert group.readings(turned) == [('drive_encoder3', [3.0])]
    turned.position = [3.0, 4.0, 1.0]
    assert group.readings(turned) == [('drive_encoder1', [1.0]), ('drive_encoder3', [3.0])]


MOTOR, RATE, TORQUE = (
    replace(sensor_of(kind), name=kind, channels=(kind,), topic='joint_states',
            joint_name=joint) for kind, joint in (
        ('angle_encoder', 'elbow_joint'), ('tachometer', ''), ('motor_torque', 'elbow_joint')))
MACHINE_JOINTS = ['shoulder_joint', 'elbow_joint', 'tachometer', 'gripper']


@given(permutations(MACHINE_JOINTS), permutations([MOTOR, RATE, TORQUE]))
def test_joints_of_a_machine_are_read_by_name_in_any_order(names, sensors):
    """Positions, velocities and efforts, by the names that the mechanism file gives to joints."""
    topic, = by_topic(sensors).values()
    given = {field: {name: k + start for k, name in enumerate(MACHINE_JOINTS)}
             for field, start in (('position', 1.0), ('velocity', 10.0), ('effort', 100.0))}
    message = JointState(name=list(names), **{
        field: [values[name] for name in names] for field, values in given.items()})
    assert topic.missing == ''
    assert dict(topic.readings(message)) == {
        'angle_encoder': [2.0], 'tachometer': [12.0], 'motor_torque': [101.0]}
    assert topic.missing == ''


@pytest.mark.parametrize('sensors', [[MOTOR, RATE, TORQUE], [RATE, MOTOR], [TORQUE], [MOTOR]])
def test_positions_velocities_and_efforts_pass_through_one_message(sensors):
    kept = KeptMessage(SensorTopic([MOTOR, RATE, TORQUE]), 'four_bar')
    for factor in (1.0, 2.0):
        sent = [(sensor, [factor * (k + 1)]) for k, sensor in enumerate(sensors)]
        message = kept.filled(7, sent)
        for wanted in ([MOTOR, RATE, TORQUE], [RATE], [TORQUE, RATE]):
            assert dict(SensorTopic(wanted).readings(message)) == {
                sensor.name: values for sensor, values in sent if sensor in wanted}


def test_joints_that_do_not_come_are_named():
    """With the names that do; messages of others, and parts of a machine, are no fault."""
    topic = SensorTopic([MOTOR, RATE])
    assert topic.readings(JointState(name=['gripper'], position=[1.0])) == []
    assert topic.missing == (
        'angle_encoder: no position of elbow_joint in messages on joint_states, expected one of '
        'gripper (as `joint_name` in the mechanism file); '
        'tachometer: no velocity of tachometer in messages on joint_states, which have no velocity')
    message = JointState(name=['elbow_joint'], position=[1.0], velocity=[2.0])
    assert topic.readings(message) == [('angle_encoder', [1.0])]
    assert topic.missing == (
        'tachometer: no velocity of tachometer in messages on joint_states, expected one of '
        'elbow_joint (as `joint_name` in the mechanism file)')


@pytest.mark.parametrize('group', [[MOTOR, replace(MOTOR, name='second')],
                                   [MOTOR, replace(sensor_of('gyroscope'), topic='joint_states')]])
def test_one_number_of_a_joint_has_one_sensor(group):
    with pytest.raises(SensorError, match='or sensors of joints, each a number of its own'):
        by_topic(group)


@pytest.mark.parametrize(('sensor', 'joint', 'words'), [
    ('drive_encoder1', '', "'' must be the name of a joint"),
    ('drive_encoder1', 3, '3 must be the name of a joint'),
    ('platform_gyro', 'elbow', 'readings of this kind are no joints of a JointState, only')])
def test_a_joint_is_a_name_of_one_in_a_joint_state(sensor, joint, words):
    robot = load_mechanism('three_rrr')
    entry = {**robot.sensors[sensor], 'joint_name': joint}
    with pytest.raises(SensorError, match=rf'sensors.{sensor}.joint_name: {words}'):
        sensors_of(robot.replace(sensors={sensor: entry}), sensor)


@pytest.mark.parametrize('kind', ['gyroscope', 'accelerometer'])
def test_an_imu_that_does_not_measure_it_is_no_reading(kind):
    message = Imu()
    message.angular_velocity_covariance[0] = message.linear_acceleration_covariance[0] = -1.0
    assert SensorTopic([sensor_of(kind)]).readings(message) == [('probe', [])]


ROBOT = sensors_of(load_mechanism('three_rrr'), ['drive_encoders', 'imu'])
ENCODER, OTHER, _, GYRO, ACCELEROMETER = ROBOT


def test_the_sensors_of_a_device_share_its_topic():
    topics = by_topic(ROBOT)
    assert {name: topic.sensors for name, topic in topics.items()} == {
        'drive_encoders': ROBOT[:3], 'imu': ROBOT[3:]}
    assert [topic.message_type for topic in topics.values()] == [
        'sensor_msgs/msg/JointState', 'sensor_msgs/msg/Imu']
    encoder, = sensors_of(load_mechanism('four_bar'), 'crank_encoder')
    assert by_topic([encoder])['crank_encoder'].sensors == [encoder]


@pytest.mark.parametrize('group', [
    [ENCODER, replace(GYRO, topic='drive_encoders')],
    [GYRO, replace(GYRO, name='second')],
    [GYRO, ACCELEROMETER, replace(GYRO, name='second')],
    [replace(GYRO, body='inner1'), ACCELEROMETER],
    [replace(ENCODER, kind='pressure'), replace(OTHER, kind='pressure')]])
def test_sensors_that_no_message_holds_together_are_reported(group):
    with pytest.raises(SensorError, match=r'topic: .*: no message holds all of them'):
        by_topic(group)


@pytest.mark.parametrize('topic', ['', 3])
def test_a_topic_must_be_a_name(topic):
    robot = load_mechanism('three_rrr')
    entry = {**robot.sensors['drive_encoder1'], 'topic': topic}
    with pytest.raises(SensorError, match=r'sensors.drive_encoder1.topic: .* must be the name'):
        sensors_of(robot.replace(sensors={'drive_encoder1': entry}), 'drive_encoder1')


def test_readings_of_an_instant_come_in_one_message_each_sensor_once():
    readings = [(ENCODER, 1, 'a'), (OTHER, 1, 'b'), (GYRO, 1, 'c'), (ENCODER, 2, 'd'),
                (ENCODER, 2, 'e'), (OTHER, 2, 'f')]
    assert list(bundled(readings)) == [
        ('drive_encoders', 1, [(ENCODER, 'a'), (OTHER, 'b')]), ('imu', 1, [(GYRO, 'c')]),
        ('drive_encoders', 2, [(ENCODER, 'd')]), ('drive_encoders', 2, [(ENCODER, 'e'),
                                                                        (OTHER, 'f')])]
