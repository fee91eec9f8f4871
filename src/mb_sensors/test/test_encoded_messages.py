"""Bytes of messages against rclpy's and rosbags' encoders, which are others' work."""

from array import array
from math import inf, nan

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from rclpy.serialization import serialize_message
from rosidl_runtime_py.utilities import get_message

from mb_model.bags.encoding import Encoder
from mb_model.bags.messages import STATE_TYPE, deserialized, message_types, tidied

TYPES = message_types('EstimatorStatus', 'SensorConsistency', 'ParameterEstimate',
                      'HydraulicState', 'ValveCommand')
ENCODER = Encoder(TYPES)
STATUS = 'mb_interfaces/msg/EstimatorStatus'
KINDS = (STATE_TYPE, STATUS, 'mb_interfaces/msg/HydraulicState', 'mb_interfaces/msg/ValveCommand',
         'sensor_msgs/msg/JointState', 'sensor_msgs/msg/Imu', 'sensor_msgs/msg/NavSatFix',
         'sensor_msgs/msg/MagneticField', 'sensor_msgs/msg/FluidPressure', 'sensor_msgs/msg/Range',
         'sensor_msgs/msg/CameraInfo', 'nav_msgs/msg/Odometry', 'geometry_msgs/msg/WrenchStamped',
         'std_msgs/msg/String', 'std_msgs/msg/Bool', 'diagnostic_msgs/msg/DiagnosticArray')
NUMBERS = st.lists(st.one_of(st.floats(), st.sampled_from((nan, inf))), max_size=5)
WORDS = st.lists(st.text(st.characters(exclude_characters='\0', exclude_categories=('Cs',))),
                 max_size=4)


def assert_as_others(message, kind):
    ours = ENCODER.encoded(message, kind)
    assert ours == tidied(TYPES, serialize_message(message), kind)
    # Messages of rosbags give the same bytes.
    assert ours == ENCODER.encoded(deserialized(TYPES, ours, kind), kind)


@pytest.mark.parametrize('kind', KINDS)
def test_encodes_empty_messages(kind):
    assert_as_others(get_message(kind)(), kind)


@given(NUMBERS, WORDS, st.integers(0, 2 ** 31 - 1), st.integers(0, 999_999_999))
@settings(deadline=None)
def test_encodes_states(numbers, words, sec, nanosec):
    message = get_message(STATE_TYPE)(
        mechanism=words[0] if words else '', independent=words[1:], coordinates=words,
        z=numbers, q=array('d', numbers[1:]), covariance=numbers[2:])
    message.header.stamp.sec, message.header.stamp.nanosec = sec, nanosec
    assert_as_others(message, STATE_TYPE)


@given(NUMBERS, WORDS, st.integers(0, 2 ** 64 - 1), st.booleans())
@settings(deadline=None)
def test_encodes_messages_in_messages(numbers, words, count, flag):
    known = get_message('mb_interfaces/msg/SensorConsistency')
    assert_as_others(get_message(STATUS)(
        channels=words, innovation=numbers, readings_used=count,
        consistency=[known(sensor=word, consistent=flag, lasting_length=k)
                     for k, word in enumerate(words)]), STATUS)


def test_encodes_arrays_of_fixed_length():
    message = get_message('sensor_msgs/msg/Imu')(orientation_covariance=np.arange(9.0))
    assert_as_others(message, 'sensor_msgs/msg/Imu')


def test_refuses_an_array_of_another_length():
    message = TYPES.types['sensor_msgs/msg/MagneticField'](
        TYPES.types['std_msgs/msg/Header'](TYPES.types['builtin_interfaces/msg/Time'](0, 0), ''),
        TYPES.types['geometry_msgs/msg/Vector3'](0.0, 0.0, 0.0), np.zeros(8))
    with pytest.raises(ValueError, match='magnetic_field_covariance: 8 values, expected 9'):
        ENCODER.encoded(message, 'sensor_msgs/msg/MagneticField')
