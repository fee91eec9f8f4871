"""Armature, limits and linear relations in MuJoCo: as the model has them by itself."""

import copy

import mujoco
import numpy as np
import pytest

from mb_model import Mechanism, load_mechanism
from mb_model.space_api import body_tree
from mb_simulation.prototypes import make_prototype
from mb_simulation.prototypes.mjcf import mujoco_spec

HINGE = {'kind': 'revolute', 'at': [[0.2, 0, 0], [0, 0, 0]], 'axis': [0, 1, 0]}
STOP = {'lower': 0.1, 'stiffness': 40.0, 'damping': 0.1}


def arm(constraints, free='abc', **keys):
    """Return an arm of three links in space, with keys of the coordinate of its elbow."""
    link = {'mass': 1.0, 'centre_of_gravity': [0.1, 0, 0], 'inertia': [0.001, 0.01, 0.01]}
    angles = {name: {'kind': 'angle', 'joint': name} for name in 'abc'}
    angles['b'] |= keys
    return Mechanism({
        'name': 'arm', 'dimension': 3, 'gravity': [0, 0, -9.81],
        'bodies': {'one': link, 'two': link, 'three': link},
        'joints': {'a': HINGE | {'bodies': ['ground', 'one']},
                   'b': HINGE | {'bodies': ['one', 'two'], 'axis': [0, 0.6, 0.8]},
                   'c': HINGE | {'bodies': ['two', 'three']}},
        'coordinates': angles, 'independent': list(free), 'start': dict.fromkeys(free, 0.3),
        **({'constraints': constraints} if constraints else {})}, 'arm.yaml')


def follows(mechanism, duration, atol):
    """Check that MuJoCo moves a mechanism as the model does by itself."""
    both = [make_prototype(engine, mechanism, 5e-3, 1e-3) for engine in ('mujoco', 'multibody')]
    first, second = (prototype.state for prototype in both)
    np.testing.assert_allclose(first.zdd, second.zdd, atol=1e-3 * np.abs(second.zdd).max())
    for _ in range(round(duration / 5e-3)):
        for prototype in both:
            prototype.advance()
    first, second = (prototype.state for prototype in both)
    np.testing.assert_allclose(first.q, second.q, atol=atol)
    return first


def test_a_mimic_joint_is_an_equality_of_joints():
    mimic = arm({'follow': {'kind': 'linear', 'terms': {'a': 1.0, 'b': -2.0}, 'sum': 0.1}},
                'ac')
    state = follows(mimic, 0.1, 2e-4)
    a, b = (state.q[mimic.coordinates.index(name)] for name in 'ab')
    assert a - 2.0 * b == pytest.approx(0.1, abs=1e-5)
    model = mujoco_spec(mimic, body_tree(mimic), 1e-3).compile()
    assert model.eq_type[0] == mujoco.mjtEq.mjEQ_JOINT


def test_a_joint_that_is_held_stays():
    held = arm({'hold': {'kind': 'linear', 'terms': {'b': 1.0}, 'sum': 0.3}}, 'ac')
    state = follows(held, 0.1, 2e-4)
    assert state.q[held.coordinates.index('b')] == pytest.approx(0.3, abs=1e-5)


def test_a_differential_is_a_tendon():
    tied = arm({'gears': {'kind': 'linear', 'terms': {'a': 1.0, 'b': 0.5, 'c': -1.0}}},
               'ab')
    follows(tied, 0.1, 2e-4)
    model = mujoco_spec(tied, body_tree(tied), 1e-3).compile()
    assert model.eq_type[0] == mujoco.mjtEq.mjEQ_TENDON


def test_a_rotor_in_space():
    geared = arm({}, armature=0.2)
    follows(geared, 0.1, 1e-5)
    assert mujoco_spec(geared, body_tree(geared), 1e-3).compile().dof_armature[1] == 0.2


@pytest.mark.parametrize('entry', [
    {'kind': 'angle', 'body': 'second'}, {'kind': 'relative_angle', 'bodies': ['first', 'second']}])
def test_a_rotor_in_the_plane(entry):
    raw = copy.deepcopy(dict(load_mechanism('double_pendulum').raw))
    entry = {key: rename(value, list(raw['bodies'])) for key, value in entry.items()}
    raw['coordinates']['geared'] = entry | {'armature': 2.0}
    follows(Mechanism(raw, 'double_pendulum'), 0.1, 1e-5)


def rename(value, bodies):
    """Return a value of an entry with `first` and `second` as bodies are called."""
    names = {'first': bodies[0], 'second': bodies[1]}
    return [names[one] for one in value] if isinstance(value, list) else names.get(value, value)


def test_stops_in_space_and_in_the_plane():
    bent = arm({}, limits=STOP)
    state = follows(bent, 0.3, 1e-3)
    assert 0.0 < state.q[bent.coordinates.index('b')] < 0.1
    raw = copy.deepcopy(dict(load_mechanism('pendulum').raw))
    name = next(iter(raw['coordinates']))
    start = load_mechanism('pendulum').z0[0]
    raw['coordinates'][name] |= {'limits': {'lower': start - 0.05, 'stiffness': 4e3,
                                            'damping': 10.0}}
    pendulum = Mechanism(raw, 'pendulum')
    follows(pendulum, 0.3, 1e-3)
    model = mujoco_spec(bent, body_tree(bent), 1e-3).compile()
    assert model.jnt_range[1, 0] == pytest.approx(-0.2)
    assert tuple(model.jnt_solref[1]) == (-40.0, -0.1)
