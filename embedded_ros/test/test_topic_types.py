"""Every interface there is makes a DDS type that accepts its samples."""
from embedded_ros.dds.message_type import message_type
from embedded_ros.dds.participant import Reader, Writer
from embedded_ros.interfaces import (
    deserialize,
    get_interface,
    list_interfaces,
    list_packages,
    serialize,
)
import pytest
from rclpy.qos import QoSProfile


def _parts(name):
    """The message classes that go over the wire for an interface."""
    interface = get_interface(name)
    if '/srv/' in name:
        return [interface.Request, interface.Response]
    if '/action/' in name:
        parts = interface.Impl
        return [parts.SendGoalService.Request, parts.SendGoalService.Response,
                parts.GetResultService.Request, parts.GetResultService.Response,
                parts.FeedbackMessage]
    return [interface]


def _across(participant, message):
    """The message after a way through DDS."""
    topic, data_type = 'rt/anything', message_type(type(message))
    reader = Reader(participant, topic, data_type, QoSProfile(depth=1))
    writer = Writer(participant, topic, data_type, QoSProfile(depth=1))
    writer.write(serialize(message))
    taken = reader.take()
    reader.close()
    writer.close()
    return deserialize(taken[0], type(message))


@pytest.fixture
def participant(ros):
    return ros.get_default_context().participant


@pytest.mark.parametrize('package', list_packages())
def test_default_messages_cross(participant, package):
    for name in list_interfaces(package):
        for kind in _parts(name):
            assert _across(participant, kind()) == kind()


def test_wide_strings_cross(participant):
    message = get_interface('test_msgs/msg/WStrings')()
    message.wstring_value = 'äöü'
    assert _across(participant, message) == message


def test_nested_arrays_cross(participant):
    message = get_interface('sensor_msgs/msg/Imu')()
    message.orientation_covariance[4] = 2.5
    message.header.frame_id = 'imu'
    assert _across(participant, message) == message
