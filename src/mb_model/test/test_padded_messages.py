"""Messages with bytes behind them, as Fast DDS's serialize_message leaves them, of any type."""

from hypothesis import given, strategies as st
import numpy as np
import pytest
from rosbags.serde import SerdeError

from mb_model.bags.messages import STATE_TYPE, deserialized, message_types, tidied

TYPES = message_types('EstimatorStatus', 'SensorConsistency', 'ParameterEstimate')
KINDS = STATE_TYPE, 'sensor_msgs/msg/JointState', 'sensor_msgs/msg/Imu'
TEXTS = st.lists(st.text(max_size=5), max_size=3)
NUMBERS = st.lists(st.floats(allow_nan=False), max_size=4).map(np.array)


@st.composite
def messages(draw):
    """(type, message) with fields of any length."""
    kind = draw(st.sampled_from(KINDS))
    of = TYPES.types
    stamp = of['builtin_interfaces/msg/Time'](draw(st.integers(0, 100)), draw(st.integers(0, 100)))
    header = of['std_msgs/msg/Header'](stamp, draw(st.text(max_size=9)))
    if kind == 'sensor_msgs/msg/Imu':
        vector = of['geometry_msgs/msg/Vector3'](1.0, 2.0, 3.0)
        return kind, of[kind](
            header, of['geometry_msgs/msg/Quaternion'](0.0, 0.0, 0.0, 1.0), np.zeros(9), vector,
            np.ones(9), vector, np.zeros(9))
    if kind == STATE_TYPE:
        return kind, of[kind](header, draw(st.text(max_size=5)), draw(TEXTS), draw(TEXTS),
                              *(draw(NUMBERS).astype(float) for _ in range(9)))
    return kind, of[kind](header, draw(TEXTS), *(draw(NUMBERS).astype(float) for _ in range(3)))


@given(one=messages(), rest=st.binary(max_size=12))
def test_what_is_behind_a_message_is_left_out(one, rest):
    kind, message = one
    data = bytes(TYPES.serialize_cdr(message, kind))
    found = deserialized(TYPES, data + rest, kind)
    assert bytes(TYPES.serialize_cdr(found, kind)) == data
    assert tidied(TYPES, data + rest, kind) == data


@given(one=messages())
def test_a_message_with_far_more_behind_it_is_damaged(one):
    kind, message = one
    with pytest.raises(SerdeError):
        deserialized(TYPES, bytes(TYPES.serialize_cdr(message, kind)) + bytes(1000), kind)
