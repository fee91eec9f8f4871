"""Forces by expressions, and on hinges that close loops, in MuJoCo."""

import copy

import numpy as np
import pytest

from mb_model import Mechanism, load_mechanism
from mb_model.space_api import body_tree
from mb_simulation.prototypes import make_prototype

SPRING = {'kind': 'spring_damper', 'stiffness': 40.0, 'rest': 0.2, 'damping': 3.0}
AS_CURVE = {'kind': 'characteristic', 'of_coordinate': '-40 * (x - 0.2)', 'of_rate': '-3 * v'}
LASH = {'kind': 'backlash', 'play': 0.2, 'middle': 0.1, 'stiffness': 900.0, 'damping': 0.5}


def pendulum(dimension, force):
    """Return a pendulum in the plane or in space with a force on its angle."""
    if dimension == 2:
        raw = copy.deepcopy(dict(load_mechanism('pendulum').raw))
        name = next(iter(raw['coordinates']))
        return Mechanism(raw | {'forces': {'one': force | {'coordinate': name}}}, 'pendulum')
    return Mechanism({
        'name': 'hung', 'dimension': 3, 'gravity': [0, 0, -9.81],
        'bodies': {'rod': {'mass': 1.0, 'centre_of_gravity': [0.4, 0, 0],
                           'inertia': [0.01, 0.05, 0.05]}},
        'joints': {'pin': {'kind': 'revolute', 'bodies': ['ground', 'rod'], 'axis': [0, -1, 0],
                           'at': [[0, 0, 0], [0, 0, 0]]}},
        'coordinates': {'pin': {'kind': 'angle', 'joint': 'pin'}}, 'independent': ['pin'],
        'start': {'pin': -0.3}, 'forces': {'one': force | {'coordinate': 'pin'}}}, 'hung.yaml')


def moved(engine, mechanism, duration, step=1e-3):
    """Return the state of an engine after a duration, and the prototype."""
    prototype = make_prototype(engine, mechanism, 1e-2, step)
    for _ in range(round(duration / 1e-2)):
        prototype.advance()
    return prototype.state, prototype


@pytest.mark.parametrize('dimension', [2, 3])
def test_a_straight_characteristic_is_a_spring_and_damper(dimension):
    curve, spring = (moved('mujoco', pendulum(dimension, force), 1.0)[0]
                     for force in (AS_CURVE, SPRING))
    np.testing.assert_allclose(curve.z, spring.z, atol=1e-11)
    np.testing.assert_allclose(curve.zdd, spring.zdd, atol=1e-9)


@pytest.mark.parametrize('dimension', [2, 3])
def test_free_play_is_as_in_the_model(dimension):
    machine = pendulum(dimension, LASH)
    (first, _), (second, _) = (moved(engine, machine, 1.0, 2e-4)
                               for engine in ('mujoco', 'multibody'))
    np.testing.assert_allclose(first.z, second.z, atol=1e-4)
    bare, _ = moved('mujoco', pendulum(dimension, LASH | {'stiffness': 1e-6}), 1.0, 2e-4)
    assert np.abs(bare.z - first.z).max() > 0.1


def double_crank(force):
    """Return a linkage in space whose last pin closes the loop; both its cranks turn round."""
    links = {'crank': 0.3, 'coupler': 0.25, 'follower': 0.3}
    pins = ['first', 'elbow', 'knee', 'last']
    bodies = ['ground', *links, 'ground']
    joints = {}
    for k, name in enumerate(pins):
        at = [links.get(bodies[k], 0.0), 0.0, 0.0]
        joints[name] = {'kind': 'revolute', 'bodies': bodies[k:k + 2], 'axis': [0, 1, 0],
                        'at': [at, [0.1 if k == 3 else 0.0, 0.0, 0.0]]}
    return Mechanism({
        'name': 'linkage', 'dimension': 3, 'gravity': [0, 0, -9.81],
        'bodies': {name: {'mass': 1.0, 'centre_of_gravity': [0.5 * length, 0, 0],
                          'inertia': [1e-3, 1e-2, 1e-2]} for name, length in links.items()},
        'joints': joints, 'coordinates': {name: {'kind': 'angle', 'joint': name} for name in pins},
        'independent': ['first'], 'start': {'first': 0.3},
        'start_velocity': {'first': 40.0}, 'forces': force,
        'parameters': {'loss': 0.01}}, 'linkage.yaml')


def test_a_spring_on_a_pin_that_closes_a_loop():
    """It winds up over whole turns: one actuator of MuJoCo alone would count from -pi to pi."""
    spring = {'coil': {'kind': 'spring_damper', 'coordinate': 'last', 'stiffness': 0.5,
                       'damping': 'loss'}}
    machine = double_crank(spring)
    assert [joint.name for joint in body_tree(machine).closures] == ['last']
    (first, prototype), (second, _) = (moved(engine, machine, 0.5, 2e-4)
                                       for engine in ('mujoco', 'multibody'))
    turned = first.q - machine.q0
    assert np.abs(turned[machine.coordinates.index('last')]) > 2.5 * np.pi
    np.testing.assert_allclose(first.q, second.q, atol=5e-3)
    before = prototype.state.zdd
    prototype.set_parameters({'loss': 0.01})        # loads anew, and knows the turns
    np.testing.assert_allclose(prototype.state.zdd, before, rtol=1e-6)


def test_dry_friction_on_such_a_pin_is_refused():
    rub = {'rub': {'kind': 'friction', 'coordinate': 'last', 'coulomb': 1.0,
                   'transition_velocity': 0.1}}
    with pytest.raises(ValueError, match=r'forces\.rub: acts on last; .*dry friction on no others'):
        make_prototype('mujoco', double_crank(rub), 1e-2, 1e-3)
