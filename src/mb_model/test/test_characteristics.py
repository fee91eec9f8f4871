"""Forces by expressions of a coordinate and of its rate, and free play between two flanks."""

import numpy as np
import pytest
from spatial_machines import on_joint

from mb_model import load_mechanism, simulate
from mb_model.mechanism import Mechanism
from mb_model.mechanism_file.description import MechanismError
from mb_model.mechanism_file.doubts import doubts

LINEAR = {'coil': {'kind': 'spring_damper', 'coordinate': 'theta', 'stiffness': 40.0, 'rest': 0.2,
                   'damping': 1.5}}
AS_CURVE = {'coil': {'kind': 'characteristic', 'coordinate': 'theta',
                     'of_coordinate': '-k * (x - 0.2)', 'of_rate': '-1.5 * v'}}


@pytest.fixture(params=['plane', 'space'])
def pair(request):
    """Return the same mechanism with a spring-damper and with its characteristic."""
    if request.param == 'plane':
        four_bar = load_mechanism('four_bar')
        return [four_bar.replace(forces=forces, parameters={'k': 40.0})
                for forces in (LINEAR, AS_CURVE)]
    raw = on_joint('universal') | {'parameters': {'k': 40.0}}
    return [Mechanism(raw | {'forces': forces}, 'space.yaml') for forces in (LINEAR, AS_CURVE)]


def test_a_linear_characteristic_is_a_spring_damper(pair, rng):
    linear, curve = pair
    z, zd = linear.z0 + 0.1, rng.normal(size=linear.g)
    np.testing.assert_allclose(curve.forward_dynamics(z, zd), linear.forward_dynamics(z, zd),
                               rtol=1e-12)
    for exact, found in zip(linear.linearise(z, zd), curve.linearise(z, zd), strict=True):
        np.testing.assert_allclose(found, exact, atol=1e-10)
    for formulation in ('index3_al', 'matrix_r'):
        runs = [simulate(one, 0.2, 1e-3, formulation, zd0=zd, estimate_error=False)
                for one in pair]
        np.testing.assert_allclose(runs[1].z, runs[0].z, atol=1e-9)
        np.testing.assert_allclose(runs[1].energy().drift, runs[0].energy().drift, atol=1e-4)


def test_derivatives_of_a_curved_one():
    mechanism = load_mechanism('four_bar').replace(forces={'coil': {
        'kind': 'characteristic', 'coordinate': 'theta',
        'of_coordinate': '-30 * x - 8 * abs(x) * x ** 2', 'of_rate': '-2 * v * abs(v)'}})
    z, zd, h = np.array([0.9]), np.array([1.3]), 1e-6
    by_z, by_zd = mechanism.linearise(z, zd)
    rise = (mechanism.forward_dynamics(z + h, zd) - mechanism.forward_dynamics(z - h, zd)) / (2 * h)
    faster = (mechanism.forward_dynamics(z, zd + h) - mechanism.forward_dynamics(z, zd - h)) / (
        2 * h)
    np.testing.assert_allclose([by_z[0, 0], by_zd[0, 0]], [rise[0], faster[0]], rtol=1e-6)


def test_reactions_know_it(pair):
    linear = pair[0]
    exact, found = (one.reactions(one.z0, one.zd0) for one in pair)
    if linear.dimension == 3:
        np.testing.assert_allclose(found.joints['tested'].force, exact.joints['tested'].force,
                                   atol=1e-9)
    else:
        np.testing.assert_allclose(found.forces['crank']['A'], exact.forces['crank']['A'],
                                   atol=1e-9)
    semi = [one.reactions(one.z0, one.zd0, formulation='semi_recursive')
            for one in pair] if linear.dimension == 2 else []
    for one in semi:
        np.testing.assert_allclose(one.forces['crank']['A'], exact.forces['crank']['A'], atol=1e-6)


@pytest.mark.parametrize(('entry', 'text'), [
    ({'of_coordinate': '-k * y'}, 'y'), ({'of_rate': 'v +'}, 'of_rate'),
    ({}, 'must have of_coordinate, of_rate, or both')])
def test_wrong_expressions_are_named(entry, text):
    with pytest.raises(MechanismError, match=r'forces\.coil') as error:
        load_mechanism('four_bar').replace(forces={'coil': {
            'kind': 'characteristic', 'coordinate': 'theta'} | entry})
    assert text in str(error.value)


def test_what_it_depends_on_is_no_parameter(pair):
    with pytest.raises(MechanismError, match='can be no parameter'):
        pair[1].parameter_jacobian(pair[1].z0, pair[1].zd0, ['k'])


TEETH = {'kind': 'backlash', 'play': 0.06, 'middle': 0.01, 'stiffness': 300.0, 'damping': 0.05}
WHEEL = {
    'name': 'wheel', 'gravity': [0.0, 0.0],
    'points': {'A': {'fixed': [0.0, 0.0]}, 'P': {'start': [1.0, 0.0]}},
    'bodies': {'wheel': {'points': {'A': [0, 0], 'P': [1, 0]}, 'mass': 1.0,
                         'centre_of_gravity': [0, 0], 'inertia': 0.5}},
    'coordinates': {'turn': {'kind': 'angle', 'body': 'wheel'}}, 'independent': ['turn'],
    'forces': {'teeth': TEETH | {'coordinate': 'turn'}}}


def torque(x, v):
    """Return the torque of TEETH at x and its rate v."""
    compression = x - 0.04 if x > 0.04 else x + 0.02 if x < -0.02 else 0.0
    return -300.0 * compression - 0.05 * v


@pytest.mark.parametrize('x', [-0.3, -0.021, -0.019, 0.0, 0.039, 0.041, 0.2])
@pytest.mark.parametrize('v', [-1.0, 0.0, 2.0])
def test_it_is_a_dead_zone(x, v):
    wheel, h = Mechanism(WHEEL, 'wheel.yaml'), 1e-6
    assert wheel.forward_dynamics([x], [v])[0] == pytest.approx(torque(x, v) / 0.5, abs=1e-9)
    by_z, by_zd = wheel.linearise([x], [v])
    slope = (torque(x + h, v) - torque(x - h, v)) / (2.0 * h)
    assert [by_z[0, 0], by_zd[0, 0]] == pytest.approx([slope / 0.5, -0.1], abs=1e-6)


@pytest.mark.parametrize('formulation', ['index3_al', 'matrix_r'])
def test_it_bounces_between_its_flanks_without_a_loss(formulation):
    """Without damping the speed is the same in each crossing, and half a swing in each flank."""
    wheel = Mechanism(WHEEL | {'forces': {'teeth': WHEEL['forces']['teeth'] | {'damping': 0.0}}},
                      'wheel.yaml')
    run = simulate(wheel, 1.0, 1e-4, formulation, z0=[0.01], zd0=[0.5], estimate_error=False)
    inside = (run.z[:, 0] > -0.019) & (run.z[:, 0] < 0.039)
    np.testing.assert_allclose(np.abs(run.zd[inside, 0]), 0.5, rtol=2e-3)
    swing = np.sqrt(300.0 / 0.5)
    assert np.ptp(run.z) == pytest.approx(0.06 + 2.0 * 0.5 / swing, rel=1e-3)
    period = 2.0 * (0.06 / 0.5 + np.pi / swing)
    crossed = np.flatnonzero((run.z[:-1, 0] < 0.01) & (run.z[1:, 0] >= 0.01))
    assert np.diff(run.t[crossed]) == pytest.approx(period, abs=2e-4)


def test_between_two_bodies_it_adds_their_angle():
    linkage = load_mechanism('double_pendulum')
    first, second = linkage.bodies
    mechanism = linkage.replace(forces={'teeth': TEETH | {'bodies': [first, second]}})
    assert 'teeth.angle' in mechanism.coordinates
    assert [one.coordinate for one in mechanism.plays] == ['teeth.angle']


def test_in_space():
    raw = on_joint('universal')
    coordinate = next(iter(raw['coordinates']))
    with_play = Mechanism(raw | {'forces': {'teeth': TEETH | {'coordinate': coordinate}}}, 'a.yaml')
    by_expression = Mechanism(raw | {'forces': {'teeth': {
        'kind': 'characteristic', 'coordinate': coordinate,
        'of_coordinate': '-300 * (max(x - 0.04, 0) + min(x + 0.02, 0))', 'of_rate': '-0.05 * v'}}},
        'b.yaml')
    z, zd = with_play.z0 + 0.2, np.ones(with_play.g)
    np.testing.assert_allclose(with_play.forward_dynamics(z, zd),
                               by_expression.forward_dynamics(z, zd), rtol=1e-12)


@pytest.mark.parametrize(('key', 'value'), [('play', 0.0), ('stiffness', -1.0), ('damping', -1.0)])
def test_impossible_numbers_are_refused(key, value):
    forces = {'teeth': WHEEL['forces']['teeth'] | {key: value}}
    with pytest.raises(MechanismError, match=rf'forces\.teeth\.{key}'):
        Mechanism(WHEEL | {'forces': forces}, 'wheel.yaml')


def test_what_a_backlash_depends_on_is_no_parameter():
    mechanism = Mechanism(WHEEL | {
        'parameters': {'wide': 0.06},
        'forces': {'teeth': WHEEL['forces']['teeth'] | {'play': 'wide'}}}, 'wheel.yaml')
    with pytest.raises(MechanismError, match=r'forces\.teeth\.play: depends on wide'):
        mechanism.parameter_jacobian(mechanism.z0, mechanism.zd0, ['wide'])
    with pytest.raises(MechanismError, match='is no parameter of the model'):
        mechanism.parameter_jacobian(mechanism.z0, mechanism.zd0, ['forces.teeth.play'])


@pytest.mark.parametrize(('start', 'count'), [(0.0, 0), (0.05, 0), (0.1, 1), (-0.09, 1)])
def test_a_start_deep_in_a_flank_is_doubtful(start, count):
    raw = WHEEL | {'start': {'turn': start}}
    found = doubts(raw, Mechanism(raw, 'wheel.yaml').described)
    assert len([text for text in found if 'beyond the play of forces.teeth' in text]) == count
