"""Topics of sensors: which readings share a message."""

from dataclasses import replace

import pytest

from mb_model import load_mechanism
from mb_sensors import SensorError, sensors_of
from mb_sensors.topics import bundled, by_topic

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
