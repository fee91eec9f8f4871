"""Stamps and states survive the way into messages and back."""

from types import SimpleNamespace

from hypothesis import given, strategies as st
import numpy as np
import pytest
from rclpy.serialization import deserialize_message, serialize_message

from mb_interfaces.msg import MechanismState
from mb_ros.stamps import from_seconds, nanoseconds, stamp
from mb_ros.states import joint_state, mechanism_state, state_arrays

FOUR_BAR = SimpleNamespace(name='four_bar', independent=('theta',), coordinates=('x', 'y', 'theta'))


@given(st.integers(0, 2**31 * 10**9 - 1))
def test_stamps_keep_every_nanosecond(number):
    assert nanoseconds(stamp(number)) == number


def test_seconds_become_the_nearest_nanosecond():
    assert from_seconds(1.005) == 1_005_000_000


def test_states_come_back_bit_for_bit():
    arrays = {'z': [0.1], 'zd': [1 / 3], 'zdd': [-2.0], 'q': [1.0, 2.0, 0.1], 'qd': np.arange(3),
              'qdd': np.zeros(3), 'covariance': np.array([[2.0, 0.5], [0.5, 1.0]])}
    sent = mechanism_state(FOUR_BAR, 1_000_000_001, **arrays)
    message = deserialize_message(serialize_message(sent), MechanismState)
    assert (message.mechanism, list(message.independent)) == ('four_bar', ['theta'])
    assert nanoseconds(message.header.stamp) == 1_000_000_001
    back = state_arrays(message)
    for name, values in arrays.items():
        np.testing.assert_array_equal(back[name], values)
    assert back['generalized_force'].size == 0


def test_a_wrong_array_is_reported():
    with pytest.raises(TypeError, match='no array speed'):
        mechanism_state(FOUR_BAR, 0, speed=[1.0])


def test_joint_states():
    message = joint_state(5, ['a', 'b'], [1, 2], [3.0, 4.0])
    assert list(message.position) == [1.0, 2.0]
    assert list(message.velocity) == [3.0, 4.0]
