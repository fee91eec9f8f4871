"""Limits of coordinates: stops by their closed form, in the plane and in space, and doubts."""

import copy

import numpy as np
import pytest

from mb_model import MechanismError, load_mechanism, make_stepper
from mb_model.checking import findings
from mb_model.mechanism import Mechanism

STOP = {'lower': -0.1, 'upper': 0.7, 'stiffness': 50.0, 'damping': 0.2}
INERTIA = 0.02 * 0.02 ** 2 + 4e-6


def finger(limits, start=0.3):
    """Return a finger on a hinge without gravity."""
    return Mechanism({
        'name': 'finger', 'dimension': 3, 'gravity': [0, 0, 0],
        'bodies': {'bone': {'mass': 0.02, 'centre_of_gravity': [0.02, 0, 0],
                            'inertia': [1e-6, 4e-6, 4e-6]}},
        'joints': {'knuckle': {'kind': 'revolute', 'bodies': ['ground', 'bone'],
                               'at': [[0, 0, 0], [0, 0, 0]], 'axis': [0, 1, 0]}},
        'coordinates': {'q': {'kind': 'angle', 'joint': 'knuckle', 'limits': limits}},
        'independent': ['q'], 'start': {'q': start}}, 'finger')


def carriage(limits):
    """Return a bar of 2 kg that slides along x in the plane, without gravity."""
    return Mechanism({
        'name': 'carriage', 'gravity': [0, 0],
        'points': {'A': {'fixed': [0, 0]}, 'B': {'fixed': [1, 0]}, 'P': {'start': [0.3, 0]},
                   'Q': {'start': [0.8, 0]}},
        'bodies': {'bar': {'points': ['P', 'Q'], 'length': 0.5, 'mass': 2.0}},
        'constraints': {'front': {'kind': 'slider', 'point': 'P', 'along': ['A', 'B']},
                        'back': {'kind': 'slider', 'point': 'Q', 'along': ['A', 'B']}},
        'coordinates': {'s': {'kind': 'slider', 'point': 'P', 'along': ['A', 'B'],
                              'limits': limits}},
        'independent': ['s']}, 'carriage')


@pytest.mark.parametrize(('x', 'v', 'force'), [
    (0.69, 3.0, 0.0), (0.72, 0.0, -50.0 * 0.02), (0.72, 3.0, -50.0 * 0.02 - 0.6),
    (0.72, -3.0, -0.4), (0.72, -9.0, 0.0), (-0.15, 0.0, 2.5), (-0.15, -3.0, 3.1),
    (-0.15, 20.0, 0.0)])
def test_a_stop_pushes_and_never_pulls(x, v, force):
    np.testing.assert_allclose(finger(STOP).forward_dynamics([x], [v]), force / INERTIA, atol=1e-9)
    np.testing.assert_allclose(carriage(STOP).forward_dynamics([x], [v]), force / 2.0, atol=1e-12)


def test_limits_without_stiffness_are_information():
    free = finger({'upper': 0.2})
    coordinate = free.described.coordinates['q']
    assert (coordinate.lower, coordinate.upper) == (-np.inf, 0.2)
    assert not free.described.forces
    assert free.forward_dynamics([5.0], [1.0]) == pytest.approx(0.0)


def test_a_carriage_bounces_back_with_the_speed_it_came_with():
    """Without damping it stays half a period of its spring in the stop; with it, it gets slower."""
    speeds = {}
    for damping in (0.0, 2.0):
        stepper = make_stepper(carriage({'upper': 0.7, 'stiffness': 2e3, 'damping': damping}))
        stepper.reset([0.69], [0.4])
        for _ in range(1500):
            stepper.step(1e-4)
        speeds[damping] = stepper.zd[0]
        if damping == 0.0:
            there, half = 0.01 / 0.4, np.pi / np.sqrt(2e3 / 2.0)
            assert stepper.z[0] == pytest.approx(0.7 - 0.4 * (0.15 - there - half), abs=1e-5)
    assert speeds[0.0] == pytest.approx(-0.4, abs=1e-5)
    assert -0.39 < speeds[2.0] < -0.3


@pytest.mark.parametrize('x', [0.72, -0.13, 0.3])
def test_derivatives_by_the_state_and_by_numbers_of_a_stop(x):
    machine, v, step = finger(STOP), 1.0, 1e-6
    A, B = machine.linearise([x], [v])

    def central(of):
        return (of(step) - of(-step)) / (2.0 * step)
    assert A[0, 0] == pytest.approx(
        central(lambda d: machine.forward_dynamics([x + d], [v])[0]), rel=1e-6, abs=1e-6)
    assert B[0, 0] == pytest.approx(
        central(lambda d: machine.forward_dynamics([x], [v + d])[0]), rel=1e-6, abs=1e-6)
    for key, value in STOP.items():
        exact = machine.parameter_jacobian([x], [v], [f'coordinates.q.limits.{key}'])[0, 0]
        expected = central(lambda d, key=key, value=value: finger(
            STOP | {key: value + d}).forward_dynamics([x], [v])[0])
        assert exact == pytest.approx(expected, rel=1e-5, abs=1e-4)


def test_a_stop_stores_energy():
    machine = carriage(STOP)
    assert machine.energy([0.74], [0.0])[1] == pytest.approx(0.5 * 50.0 * 0.04 ** 2)
    assert machine.energy([0.5], [0.0])[1] == 0.0


def test_a_start_beyond_limits_is_doubtful():
    def doubts(limits, start):
        machine = finger(limits, start)
        return [text for text in findings(machine.raw, 'finger').doubts if text.startswith('start')]
    assert doubts({'lower': 0.0, 'upper': 0.7}, 0.9) == [
        'start: q = 0.9 rad is 0.2 rad beyond its upper limit, 0.7 rad']
    assert doubts({'lower': 0.0}, -0.1) == [
        'start: q = -0.1 rad is 0.1 rad beyond its lower limit, 0 rad']
    assert not doubts({'lower': 0.0, 'upper': 0.7}, 0.7)


def test_a_stiff_stop_is_doubtful():
    machine = finger({'upper': 0.7, 'stiffness': 1e6})
    assert any('coordinates.q.limits.stiffness: moves q with' in text
               for text in findings(machine.raw, 'finger').doubts)


def test_beyond_limits_by_more_than_deviations():
    machine = finger({'lower': 0.0, 'upper': 0.7})
    assert machine.beyond_limits(machine.assemble([0.8]), [0.02]) == [
        'q = 0.8 rad is 0.1 rad beyond its upper limit, 0.7 rad']
    assert machine.beyond_limits(machine.assemble([0.8]), [0.05]) == []
    assert len(machine.beyond_limits(machine.assemble([-0.3]))) == 1


@pytest.mark.parametrize(('limits', 'message'), [
    ({'lower': 1.0, 'upper': 0.5}, r'q\.limits\.lower: 1 must be < upper, 0.5'),
    ({'stiffness': 3.0}, r'q\.limits: must have lower, upper or both'),
    ({'upper': 0.5, 'damping': 3.0}, r'q\.limits\.stiffness: missing, it goes with damping'),
    ({'upper': 0.5, 'stiffness': 0.0}, r'q\.limits\.stiffness: 0\.0 must be > 0'),
    ({}, r'q\.limits: must have lower, upper or both'),
    ({'least': 0.5}, r'q\.limits\.least: unknown key'),
    ([0.0, 1.0], r'q\.limits: \[0\.0, 1\.0\] must be a mapping')])
def test_mistakes(limits, message):
    with pytest.raises(MechanismError, match=message):
        finger(limits)


def test_an_angle_of_limits_in_degrees_is_doubtful():
    machine = finger({'lower': 0.0, 'upper': 40.0})
    assert any('coordinates.q.limits.upper: 40.0 rad are' in text
               for text in findings(machine.raw, 'finger').doubts)


def test_shipped_machines_have_no_limits_but_may_get_some():
    raw = copy.deepcopy(dict(load_mechanism('excavator').raw))
    raw['coordinates']['boom_length']['limits'] = {'lower': 0.1, 'upper': 5.0, 'stiffness': 1e7}
    assert 'coordinates.boom_length.limits' in Mechanism(raw, 'excavator').described.forces
