"""Sensors that read state interfaces of joints, as joint_state_broadcaster sends them."""

from control_msgs.msg import DynamicJointState, InterfaceValue
from hypothesis import given, settings, strategies as st
import pytest

from mb_model import load_mechanism
from mb_sensors import SensorError, by_topic, sensors_of
from mb_sensors.nodes import kept_message
from mb_sensors.nodes.kept_message import KeptMessage, reading_type

TOPIC = {'topic': 'dynamic_joint_states', 'joint_name': 'crank_joint'}
SENSORS = {
    'angle': {'kind': 'angle_encoder', 'body': 'crank', 'sigma': 1e-3, 'interface': 'position'},
    'rate': {'kind': 'tachometer', 'coordinate': 'theta', 'sigma': 1e-2, 'interface': 'velocity'},
    'torque': {'kind': 'motor_torque', 'drive': 'theta', 'sigma': 0.1,
               'interface': 'torque_sensor'}}


def topic_of(**changes):
    """Return the SensorTopic of all SENSORS; changes: of entries, by name."""
    linkage = load_mechanism('four_bar').replace(drives=['theta'], sensors={
        name: {**entry, **TOPIC, **changes.get(name, {})} for name, entry in SENSORS.items()})
    (topic,) = by_topic(sensors_of(linkage, list(SENSORS))).values()
    return topic


def message_of(values):
    """Return a message with {joint: {interface: value}}."""
    return DynamicJointState(joint_names=list(values), interface_values=[
        InterfaceValue(interface_names=list(own), values=list(own.values()))
        for own in values.values()])


@settings(deadline=None)
@given(st.permutations(['position', 'velocity', 'torque_sensor', 'temperature']),
       st.permutations(['crank_joint', 'other_joint']))
def test_interfaces_are_read_by_names_in_any_order(interfaces, joints):
    own = {name: float(k) for k, name in enumerate(interfaces)}
    read = dict(topic_of().readings(message_of({
        joint: own if joint == 'crank_joint' else dict.fromkeys(own, 7.0) for joint in joints})))
    assert read == {'angle': [own['position']], 'rate': [own['velocity']],
                    'torque': [own['torque_sensor']]}


def test_a_reading_passes_through_its_message():
    topic = topic_of()
    sent = dict(zip(SENSORS, (0.5, -2.0, 40.0), strict=True))
    message = KeptMessage(topic, 'four_bar').filled(
        2_500_000_000, [(sensor, [sent[sensor.name]]) for sensor in topic.sensors])
    assert (message.header.stamp.sec, message.header.stamp.nanosec) == (2, 500_000_000)
    assert message.joint_names == ['crank_joint']
    assert message.interface_values[0].interface_names == ['position', 'velocity', 'torque_sensor']
    assert {name: value for name, (value,) in topic.readings(message)} == sent


def test_what_is_not_there_is_left_out_and_named():
    """A NaN is hardware that has not written yet; an interface that never comes is wrong."""
    topic = topic_of()
    assert topic.missing == ''
    nothing = {'position': 0.25, 'velocity': float('nan'), 'effort': 1.0}
    assert topic.readings(message_of({'crank_joint': nothing})) == [('angle', [0.25])]
    assert topic.missing == (
        'torque: no interface torque_sensor of crank_joint in messages on dynamic_joint_states, '
        'expected one of crank_joint/position, crank_joint/velocity, crank_joint/effort (as '
        '`joint_name` and `interface` in the mechanism file)')


def test_a_broken_message_has_no_readings():
    topic, broken = topic_of(), message_of({'crank_joint': {'position': 1.0}})
    broken.joint_names = ['crank_joint', 'other']
    assert topic.readings(broken) == [('angle', [])]
    broken = message_of({'crank_joint': {'position': 1.0}})
    broken.interface_values[0].values = []
    assert topic.readings(broken) == [('angle', [])]


def test_a_pressure_may_be_an_interface_of_a_cylinder():
    crane = load_mechanism('crane')
    entry = {'kind': 'pressure', 'volume': next(iter(crane.circuit.volumes)), 'sigma': 1e4, **TOPIC,
             'interface': 'p'}
    (topic,) = by_topic(sensors_of(crane.replace(sensors={'probe': entry}), 'probe')).values()
    assert topic.readings(message_of({'crank_joint': {'p': 5e6}})) == [('probe', [5e6])]


def test_without_control_msgs_it_says_what_is_missing(monkeypatch):
    def absent(name):
        raise ModuleNotFoundError(name)
    monkeypatch.setattr(kept_message, 'get_message', absent)
    with pytest.raises(SensorError, match=(
            'angle: topic: dynamic_joint_states: messages of type '
            'control_msgs/msg/DynamicJointState need the package control_msgs, which is not '
            r'installed here; expected .*ros-\$ROS_DISTRO-control-msgs')):
        reading_type(topic_of())


@pytest.mark.parametrize(('changes', 'words'), [
    ({'angle': {'interface': ''}}, r"angle\.interface: '' must be the name of a state interface"),
    ({'angle': {'interface': 3}}, r'angle\.interface: 3 must be the name of a state interface'),
    ({'rate': {'interface': 'position'}}, 'topic: dynamic_joint_states: no message holds all'),
    ({'angle': {'kind': 'accelerometer', 'at': 'P1'}},
     r'angle\.interface: position: its readings are 2 numbers, expected a sensor of one')])
def test_interfaces_that_cannot_be_are_refused(changes, words):
    with pytest.raises(SensorError, match=words):
        topic_of(**changes)
