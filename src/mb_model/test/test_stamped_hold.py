"""Values and forces held between messages: a function of their stamps."""

import math

from hypothesis import given, strategies as st
import numpy as np
import pytest
from spatial_machines import STRUT

from mb_model import Mechanism, load_mechanism, make_stepper
from mb_model.simulation.held_forces import HeldForces, StampedHold
from mb_model.simulation.stream import SimulationStream

PUSH, STILL = (1.0, 0.0, 0.0), (0.0, 0.0, 0.0)      # force, moment

messages = st.lists(st.tuples(st.integers(1, 50), st.dictionaries(
    st.sampled_from('abc'), st.floats(-9.0, 9.0), min_size=1)), max_size=12,
    unique_by=lambda message: message[0])


@given(messages, st.randoms(use_true_random=False))
def test_the_newest_message_of_each_name_holds(sent, order):
    hold = StampedHold()
    shuffled = list(sent)
    order.shuffle(shuffled)
    for stamp, values in shuffled:
        hold.add(stamp, values)
    for time in range(0, 60, 7):
        newest = {}
        for stamp, values in sorted(sent, key=lambda message: message[0]):
            if stamp <= time:
                newest |= values
        assert hold.at(time) == newest
    assert (hold.used, hold.late) == (len(sent), 0)


def test_values_time_out():
    hold = StampedHold(timeout=1e-8)
    hold.add(100, {'a': 1.0, 'b': 2.0})
    hold.add(105, {'a': 3.0})
    assert [hold.at(time) for time in (99, 100, 109, 110, 114, 115)] == [
        {}, {'a': 1.0, 'b': 2.0}, {'a': 3.0, 'b': 2.0}, {'a': 3.0}, {'a': 3.0}, {}]
    hold.add(120, {'b': 4.0})
    assert hold.at(121) == {'b': 4.0}


def test_what_comes_late_holds_unless_newer_has_come():
    hold = StampedHold()
    hold.add(10, {'a': 1.0})
    hold.at(20)
    hold.add(5, {'a': 7.0, 'b': 8.0})
    assert hold.at(20) == {'a': 1.0, 'b': 8.0}
    hold.add(0, {'a': 9.0})           # without a stamp: now
    assert hold.at(21) == {'a': 9.0, 'b': 8.0}
    assert (hold.used, hold.late) == (3, 1)
    hold.clear()
    assert hold.at(22) == {}


def test_the_queue_has_an_end():
    hold = StampedHold()
    for stamp in range(10_000):
        hold.add(10 + stamp, {'a': 1.0})
    with pytest.raises(ValueError, match='wait for their time already'):
        hold.add(10_010, {'a': 1.0})


@pytest.mark.parametrize(('add', 'arguments', 'message'), [
    ('add_forces', (['beta'], [1.0]), 'beta: unknown coordinate, expected one of P1'),
    ('add_forces', (['theta'], [math.nan]), 'theta: effort nan is not finite'),
    ('add_forces', (['theta', 'P1.x'], [1.0]), '2 names with 1 efforts'),
    ('add_forces', ([], []), '0 names with 0 efforts'),
    ('add_load', ('elbow', PUSH, STILL), 'elbow: unknown frame, expected a body'),
    ('add_load', ('P2', PUSH, (0.0, 0.0, 3.0)), 'P2: a point takes no moment'),
    ('add_load', ('coupler', (1.0, math.inf, 0.0), STILL), 'coupler: wrench'),
    ])
def test_impossible_messages_are_counted_and_change_nothing(add, arguments, message, four_bar):
    held, stepper = HeldForces(four_bar), make_stepper(four_bar)
    with pytest.raises(ValueError, match=message):
        getattr(held, add)(1, *arguments)
    held.act(stepper, 2)
    assert not stepper.forces.any()
    assert not stepper.coordinate_forces.any()
    assert not stepper.work['loads'][0]
    assert (held.used, held.rejected) == (0, 1)


def test_loads_act_as_those_of_the_file(four_bar):
    """A wrench in a body's frame and a force on a point, against the same as elements."""
    loaded = four_bar.replace(forces={
        'push': {'kind': 'load', 'body': 'coupler', 'force': [3.0, -20.0], 'moment': 5.0,
                 'axes': 'body'},
        'pull': {'kind': 'load', 'body': 'rocker', 'at': 'P2', 'force': [-8.0, 2.0]},
        'drive': {'kind': 'constant', 'coordinate': 'P1.y', 'force': 4.0}})
    held = HeldForces(four_bar)
    held.add_load(100, 'coupler', (3.0, -20.0, 0.0), (0.0, 0.0, 5.0))
    held.add_load(100, 'P2', (-8.0, 2.0, 0.0), STILL)
    held.add_forces(100, ['P1.y'], [4.0])
    expected = SimulationStream(make_stepper(loaded), 100.0, 1e-3)
    stream = SimulationStream(make_stepper(four_bar), 100.0, 1e-3,
                              lambda stepper, offset: held.act(stepper, 100 + offset))
    for _ in range(50):
        state, other = stream.advance(), expected.advance()
        np.testing.assert_allclose(state.q, other.q, atol=1e-10)
        np.testing.assert_allclose(state.zdd, other.zdd, atol=1e-7)
    assert abs(state.z[0] - make_and_run(four_bar)) > 1e-2


def test_loads_in_space_act_as_those_of_the_file():
    """A wrench in a body's frame and a force on a point of it, against the same as elements."""
    strut = Mechanism(STRUT, 'strut.yaml')
    loaded = strut.replace(forces={
        'push': {'kind': 'wrench', 'body': 'link', 'force': [3.0, -20.0, 7.0],
                 'moment': [1.0, 5.0, -2.0], 'axes': 'body'},
        'pull': {'kind': 'wrench', 'body': 'link', 'at': 'D', 'force': [-8.0, 2.0, 5.0]}})
    held = HeldForces(strut)
    held.add_load(100, 'link', (3.0, -20.0, 7.0), (1.0, 5.0, -2.0))
    held.add_load(100, 'link.D', (-8.0, 2.0, 5.0), STILL)
    expected = SimulationStream(make_stepper(loaded), 100.0, 1e-3)
    stream = SimulationStream(make_stepper(strut), 100.0, 1e-3,
                              lambda stepper, offset: held.act(stepper, 100 + offset))
    for _ in range(20):
        state, other = stream.advance(), expected.advance()
        np.testing.assert_allclose(state.q, other.q, atol=1e-10)
    assert abs(state.z[0] - make_and_run(strut)) > 1e-2


@pytest.mark.parametrize(('frame', 'moment', 'message'), [
    ('D', STILL, r'D: unknown frame, expected a body \(link, barrel, rod\) or body\.point'),
    ('link.C', STILL, r'link\.C: unknown frame'),
    ('link.D', (0.0, 1.0, 0.0), r'link\.D: a point takes no moment'),
    ('rod', STILL, 'rod: rod is slender, which takes no loads')])
def test_impossible_loads_in_space_are_refused(frame, moment, message):
    held = HeldForces(Mechanism(STRUT, 'strut.yaml'))
    with pytest.raises(ValueError, match=message):
        held.add_load(1, frame, PUSH, moment)
    assert held.rejected == 1


def make_and_run(mechanism):
    """Return the angle without loads, in the end."""
    stream = SimulationStream(make_stepper(mechanism), 100.0, 1e-3)
    return [stream.advance() for _ in range(50)][-1].z[0]


def test_all_bodies_and_points_can_be_loaded_up_to_a_limit():
    array = load_mechanism('rod_array')
    held = HeldForces(array)
    for name in list(array.bodies)[:8]:
        held.add_load(1, name, PUSH, STILL)
    held.add_load(2, 'rod0', (2.0, 0.0, 0.0), STILL)
    with pytest.raises(ValueError, match='loads act in 8 other frames already'):
        held.add_load(3, list(array.bodies)[8], PUSH, STILL)
