"""What drivers publish is what the estimator reads."""

from types import SimpleNamespace

import numpy as np
import pytest
from sensor_msgs.msg import Imu, JointState

from mb_model import load_mechanism
from mb_sensors import sensors_of
from mb_sensors.kinds import KINDS
from mb_sensors.nodes.encoder_driver import EncoderDriver
from mb_sensors.nodes.imu_driver import ImuDriver
from mb_sensors.nodes.position_driver import PositionDriver
from mb_sensors.nodes.pressure_driver import PressureDriver
from mb_sensors.nodes.range_driver import RangeDriver
from mb_sensors.nodes.reading_types import READING_TYPES
from mb_sensors.recording.messages import READING_MESSAGES

DRIVERS = {kind: driver for driver in (EncoderDriver, ImuDriver, PositionDriver, PressureDriver,
                                       RangeDriver) for kind in driver.kinds}
CRANK = {'body': 'crank'}
KEYS = {'angle_encoder': CRANK, 'gyroscope': CRANK,
        'relative_angle_encoder': {'bodies': ['crank', 'coupler']},
        'linear_encoder': {'coordinate': 'P2.x'},
        'accelerometer': {**CRANK, 'at': 'P1', 'axes': ['y', 'z']},
        'distance': {'points': ['A', 'P2']}, 'position': {'point': 'P2'}, 'pressure': {}}


def sensor_of(kind):
    entry = {'kind': kind, 'sigma': 0.1, **KEYS[kind]}
    return sensors_of(load_mechanism('four_bar').replace(sensors={'probe': entry}), 'probe')[0]


@pytest.mark.parametrize('kind', KINDS)
def test_a_reading_passes_through_its_message(kind):
    sensor = sensor_of(kind)
    values = np.array([0.25, -7.0])[:len(sensor.channels)]
    driver = SimpleNamespace(mechanism=load_mechanism('four_bar'))
    message = DRIVERS[kind].message_of(driver, 10 ** 9, [(sensor, values)])
    message_type, extract = READING_MESSAGES[kind]
    assert isinstance(message, READING_TYPES[message_type])
    assert message.header.stamp.sec == 1
    (name, read), = extract([sensor], message)
    assert name == 'probe'
    np.testing.assert_array_equal(read, values)


@pytest.mark.parametrize('given', [(0, 1, 2), (2, 0), (1,)])
@pytest.mark.parametrize('group', ['drive_encoders', 'imu'])
def test_readings_of_one_device_pass_through_its_message(group, given):
    """All of them, or those that have come."""
    robot = load_mechanism('three_rrr')
    sensors = sensors_of(robot, group)
    sent = [(sensors[k], np.arange(1.0, 1.0 + len(sensors[k].channels)) / (k + 3.0))
            for k in given if k < len(sensors)]
    message = DRIVERS[sensors[0].kind].message_of(SimpleNamespace(mechanism=robot), 7, sent)
    read = READING_MESSAGES[sensors[0].kind][1](sensors, message)
    assert {name: list(values) for name, values in read} == {
        sensor.name: values.tolist() for sensor, values in sent}


def test_joints_without_names_are_those_of_a_sensor_that_is_alone():
    sensors = sensors_of(load_mechanism('three_rrr'), 'drive_encoders')
    extract = READING_MESSAGES[sensors[0].kind][1]
    assert extract(sensors[:1], JointState(position=[0.5])) == [('drive_encoder1', [0.5])]
    assert extract(sensors, JointState(position=[0.5])) == [('drive_encoder1', ())]
    assert extract(sensors, JointState(name=['other'], position=[0.5])) == [('other', ())]


@pytest.mark.parametrize('kind', ['gyroscope', 'accelerometer'])
def test_an_imu_that_does_not_measure_it_is_no_reading(kind):
    message = Imu()
    message.angular_velocity_covariance[0] = message.linear_acceleration_covariance[0] = -1.0
    assert READING_MESSAGES[kind][1]([sensor_of(kind)], message) == [('probe', ())]
