"""Forces held between messages: a function of their stamps."""

import math

from hypothesis import given, strategies as st
import numpy as np
import pytest

from mb_model.force_hold import ForceHold

messages = st.lists(st.tuples(st.integers(1, 50), st.dictionaries(
    st.sampled_from('abc'), st.floats(-9.0, 9.0), min_size=1)), max_size=12,
    unique_by=lambda message: message[0])


@given(messages, st.randoms(use_true_random=False))
def test_the_newest_message_of_each_name_holds(sent, order):
    hold = ForceHold('abc')
    shuffled = list(sent)
    order.shuffle(shuffled)
    for stamp, forces in shuffled:
        assert hold.add(stamp, list(forces), list(forces.values())) == ''
    for time in range(0, 60, 7):
        newest = [max(((stamp, forces[name]) for stamp, forces in sent
                       if name in forces and stamp <= time), default=(0, 0.0))[1] for name in 'abc']
        np.testing.assert_array_equal(hold.at(time), newest)
    assert (hold.counts.used, hold.counts.late, hold.counts.rejected) == (len(sent), 0, 0)


def test_forces_time_out():
    hold = ForceHold('ab', timeout=1e-8)
    hold.add(100, ['a', 'b'], [1.0, 2.0])
    hold.add(105, ['a'], [3.0])
    assert [hold.at(time).tolist() for time in (99, 100, 109, 110, 114, 115)] == [
        [0.0, 0.0], [1.0, 2.0], [3.0, 2.0], [3.0, 0.0], [3.0, 0.0], [0.0, 0.0]]
    hold.add(120, ['b'], [4.0])
    assert hold.at(121).tolist() == [0.0, 4.0]


def test_what_comes_late_holds_unless_newer_has_come():
    hold = ForceHold('ab')
    hold.add(10, ['a'], [1.0])
    hold.at(20)
    hold.add(5, ['a', 'b'], [7.0, 8.0])
    assert hold.at(20).tolist() == [1.0, 8.0]
    hold.add(0, ['a'], [9.0])           # without a stamp: now
    assert hold.at(21).tolist() == [9.0, 8.0]
    assert (hold.counts.used, hold.counts.late) == (3, 1)
    hold.clear()
    assert hold.at(22).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(('names', 'forces', 'message'), [
    (['c'], [1.0], 'c: unknown degree of freedom, expected a, b'),
    (['a'], [math.nan], 'a: effort nan is not finite'),
    (['a', 'b'], [1.0], '2 names with 1 efforts'),
    ([], [], '0 names with 0 efforts')])
def test_impossible_messages_are_counted_and_change_nothing(names, forces, message):
    hold = ForceHold('ab')
    assert message in hold.add(1, names, forces)
    assert hold.at(2).tolist() == [0.0, 0.0]
    assert (hold.counts.used, hold.counts.rejected) == (0, 1)


def test_the_queue_has_an_end():
    hold = ForceHold('a')
    for stamp in range(10_000):
        assert hold.add(10 + stamp, ['a'], [1.0]) == ''
    assert 'wait for their time already' in hold.add(10_010, ['a'], [1.0])
