"""Messages as YAML, CSV and dictionaries, and back."""
from builtin_interfaces.msg import Time
from geometry_msgs.msg import PointStamped
import numpy as np
import pytest
from rosidl_runtime_py import (
    get_interface_path,
    get_interfaces,
    message_to_csv,
    message_to_yaml,
    set_message_fields,
)
from rosidl_runtime_py.utilities import get_message, get_service
from sensor_msgs.msg import Imu, JointState
from test_msgs.msg import BasicTypes
from visualization_msgs.msg import MarkerArray
import yaml


def joints():
    message = JointState(name=['a', 'b: c'], position=[1.0, 2.5])
    message.header.frame_id = 'base'
    return message


def test_yaml_of_a_message_fills_an_equal_one():
    message = joints()
    again = JointState()
    set_message_fields(again, yaml.safe_load(message_to_yaml(message)))
    assert again == message


def test_yaml_text():
    text = ('header:\n  stamp:\n    sec: 0\n    nanosec: 0\n  frame_id: base\n'
            "name:\n- a\n- 'b: c'\nposition:\n- 1.0\n- 2.5\nvelocity: []\neffort: []\n")
    assert message_to_yaml(joints()) == text


def test_csv():
    assert message_to_csv(joints()) == '0,0,base,a,b: c,1.0,2.5,,'
    assert message_to_csv(joints(), truncate_length=1) == '0,0,b...,a,...,1.0,...,,'
    assert message_to_csv(BasicTypes(byte_value=b'\x07')).startswith("False,b'\\x07',0,")


def test_values_are_converted_to_the_fields_types():
    message = Imu()
    set_message_fields(message, {'orientation_covariance': range(9), 'orientation': {'x': 1}})
    assert message.orientation_covariance.dtype == np.float64
    assert isinstance(message.orientation.x, float)
    markers = MarkerArray()
    set_message_fields(markers, {'markers': [{'id': 3}, {'id': 4}]})
    assert [marker.id for marker in markers.markers] == [3, 4]


def test_stamps_to_be_set_later():
    message = PointStamped()
    setters = set_message_fields(message, {'header': 'auto'}, expand_header_auto=True)
    for setter in setters:
        setter(Time(sec=7))
    assert message.header.stamp.sec == 7


def test_wrong_values():
    with pytest.raises(AttributeError, match='nope'):
        set_message_fields(joints(), {'nope': 1})
    with pytest.raises(TypeError, match='expected to be a dictionary but is a int'):
        set_message_fields(joints(), {'header': 3})
    with pytest.raises(ValueError, match='could not convert'):
        set_message_fields(PointStamped(), {'point': {'x': 'word'}})


def test_classes_by_name():
    assert get_message('sensor_msgs/msg/JointState') is JointState
    assert get_message('sensor_msgs/JointState') is JointState
    with pytest.raises(ModuleNotFoundError):
        get_message('nope_msgs/msg/JointState')
    with pytest.raises(AttributeError):
        get_message('sensor_msgs/msg/Nope')
    with pytest.raises(ValueError, match='full name of a service'):
        get_service('sensor_msgs/msg/JointState')
    with pytest.raises(ValueError, match='Invalid interface name'):
        get_message('JointState')


def test_what_there_is():
    assert set(get_interfaces(['std_srvs'])['std_srvs']) == {
        'srv/Empty', 'srv/SetBool', 'srv/Trigger'}
    with pytest.raises(LookupError, match="Unknown package 'nope_msgs'"):
        get_interfaces(['nope_msgs'])
    assert get_interface_path('std_srvs/srv/Trigger').endswith('srv/Trigger.srv')
