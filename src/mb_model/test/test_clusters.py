"""Loops of mechanisms in space with sparse storage, closed in clusters, as in dense storage."""

from functools import cache

import numpy as np
import pytest

from mb_model import MechanismError, load_mechanism, make_stepper
from mb_model.mechanism import Mechanism

# name: joints in the largest cluster; of the car 11 of a front wheel and of the rack
LARGEST = {'stewart': 21, 'excavator': 19, 'delta': 18, 'car': 11, 'quarter_car': 6,
           'quadruped_leg': 5, 'bricard': 5, 'spatial_slider_crank': 5, 'spatial_four_bar': 3}


@cache
def pair(name):
    """Return a mechanism with dense and with sparse storage."""
    return tuple(load_mechanism(name, storage) for storage in ('dense', 'sparse'))


def same(dense, sparse, share=1e-10):
    """Assert equality to a share of the largest number."""
    dense = np.asarray(dense)
    np.testing.assert_allclose(sparse, dense, rtol=0.0, atol=share * (1.0 + np.abs(dense).max()))


@pytest.mark.parametrize('name', LARGEST)
def test_accelerations_are_those_of_matrix_r(name, rng):
    dense, sparse = pair(name)
    z = dense.z0 + rng.uniform(-0.02, 0.02, dense.g)
    zd = rng.normal(size=dense.g)
    stepper = make_stepper(sparse, 'semi_recursive', 'rk4')
    stepper.reset(z, zd)
    same(dense.forward_dynamics(z, zd), stepper.zdd)
    model = stepper.model[0]
    begin = model['cluster_begin'][:int(model['clusters']) + 1]
    assert np.diff(begin).max() == LARGEST[name]


@pytest.mark.whole
@pytest.mark.parametrize('integrator', ['trapezoidal', 'rk4'])
@pytest.mark.parametrize('name', LARGEST)
def test_loops_step_as_those_of_dense_storage(name, integrator):
    dense, sparse = (make_stepper(mechanism, 'semi_recursive', integrator)
                     for mechanism in pair(name))
    zd = np.linspace(0.2, 0.4, dense.mechanism.g)
    for stepper in (dense, sparse):
        stepper.reset(dense.mechanism.z0, zd)
        for _ in range(20):
            stepper.step(5e-5, np.ones(len(zd)))
    # The trapezoidal rule depends on which joints are independent.
    share = 1e-8 if integrator == 'trapezoidal' else 1e-10
    for array in ('q', 'qd', 'qdd'):
        same(getattr(dense, array), getattr(sparse, array), share)


@pytest.mark.parametrize('name', LARGEST)
def test_joints_transmit_and_drives_push_the_same(name):
    dense, sparse = pair(name)
    zd = np.linspace(-0.5, 0.5, dense.g)
    truth = dense.reactions(dense.z0, zd, formulation='matrix_r').joints
    ours = sparse.reactions(sparse.z0, zd, formulation='semi_recursive').joints
    for joint, reaction in truth.items():
        same(reaction.force, ours[joint].force, 1e-9)
        same(reaction.moment, ours[joint].moment, 1e-9)
    same(dense.inverse_dynamics(dense.z0, zd, zd, None, 'matrix_r'),
         sparse.inverse_dynamics(sparse.z0, zd, zd, None, 'semi_recursive'))


def test_a_loop_of_too_many_joints_is_refused():
    links = 34
    last = f'link{links}'
    bodies = {f'link{k + 1}': {'mass': 0.5, 'points': {'A': [0, 0, 0], 'B': [0, 0, -0.3]},
                               'centre_of_gravity': [0, 0, -0.15], 'inertia': [0.01, 0.02, 0.03]}
              for k in range(links)}
    joints = {f'hinge{k + 1}': {
        'kind': 'revolute', 'bodies': [f'link{k}' if k else 'ground', f'link{k + 1}'],
        'at': ['B' if k else [0, 0, 0], 'A'], 'axis': [k % 2, 1 - k % 2, 0]}
        for k in range(links)}
    joints['tie'] = {'kind': 'distance', 'bodies': ['ground', last],
                     'at': [[1.0, 0.0, 0.0], 'B'], 'length': float(np.hypot(0.3 * links, 1.0))}
    ring = Mechanism({
        'name': 'ring', 'dimension': 3, 'bodies': bodies, 'joints': joints,
        'coordinates': {f'turn{k}': {'kind': 'angle', 'joint': f'hinge{k}'}
                        for k in range(2, links + 1)}}, 'ring.yaml')
    assert ring.is_sparse
    with pytest.raises(MechanismError, match=(
            r'ring\.yaml: semi_recursive: with sparse storage, loops may join at most 32 joint '
            r'coordinates; loops that share bodies join 34 here: link1, link2')):
        make_stepper(ring, 'semi_recursive')
