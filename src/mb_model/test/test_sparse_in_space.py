"""Large mechanisms in space: sparse storage against dense, chains, and what they cannot do."""

import numpy as np
import pytest
from spatial_machines import FORCES, on_joint

from mb_model import MechanismError, load_mechanism, make_stepper, simulate
from mb_model.integration.registry import FORMULATIONS
from mb_model.mechanism import Mechanism

NAMES = ('six_axis_arm', 'quadruped_leg', 'stewart', 'delta', 'bricard', 'spatial_slider_crank')
METHODS = [(name, integrator) for name, formulation in FORMULATIONS.items()
           if formulation.sparse_dimensions == (2, 3) for integrator in formulation.integrators]
PAIRS = {name: tuple(load_mechanism(name, storage) for storage in ('dense', 'sparse'))
         for name in NAMES}
PAIRS |= {kind: tuple(Mechanism(on_joint(kind, more={'forces': FORCES}), kind, storage)
                      for storage in ('dense', 'sparse'))
          for kind in ('cylindrical', 'screw', 'universal', 'spherical')}


def chain(links, **more):
    """Return a chain of so many links on hinges, about y and x in turn, hanging down."""
    return Mechanism({
        'name': 'chain', 'dimension': 3, 'parameters': {'links': links},
        'repeat': {'links': {
            'count': 'links',
            'bodies': {'link<i+1>': {
                'mass': 0.5, 'points': {'A': [0, 0, 0], 'B': [0, 0, -0.3]},
                'shapes': [{'kind': 'cylinder', 'from': 'A', 'to': 'B', 'radius': 0.02}]}},
            'joints': {'hinge<i+1>': {'kind': 'revolute', 'bodies': ['link<i>', 'link<i+1>'],
                                      'at': ['B', 'A'], 'axis': ['(1 - (-1) ** i) / 2',
                                                                 '(1 + (-1) ** i) / 2', 0]}},
            'coordinates': {'turn<i+1>': {'kind': 'angle', 'joint': 'hinge<i+1>'}}}},
        'joints': {'hinge1': {'bodies': ['ground', 'link1'], 'at': [[0, 0, 0], 'A']}},
        'independent': [f'turn{k + 1}' for k in range(links)]} | more, 'chain.yaml')


def same(dense, sparse, share=1e-9):
    """Assert equality to a share of the largest number."""
    dense = np.asarray(dense)
    np.testing.assert_allclose(sparse, dense, rtol=0.0, atol=share * (1.0 + np.abs(dense).max()))


@pytest.mark.parametrize('name', PAIRS)
def test_answers_are_those_of_dense_storage(name, rng):
    dense, sparse = PAIRS[name]
    assert sparse.is_sparse
    assert not dense.is_sparse
    z = dense.z0 + rng.uniform(-0.02, 0.02, dense.g)
    zd, zdd, force = rng.normal(size=(3, dense.g))
    q = dense.assemble(z)
    qd = dense.velocity(q, zd)
    same(q, sparse.assemble(z))
    same(qd, sparse.velocity(q, zd))
    same(dense.acceleration(q, qd, zdd), sparse.acceleration(q, qd, zdd))
    same(dense.forward_dynamics(z, zd, force), sparse.forward_dynamics(z, zd, force))
    same(dense.inverse_dynamics(z, zd, zdd), sparse.inverse_dynamics(z, zd, zdd))
    same(dense.energy(z, zd), sparse.energy(z, zd))


@pytest.mark.parametrize(('formulation', 'integrator'), METHODS)
@pytest.mark.parametrize('name', PAIRS)
def test_steps_are_those_of_dense_storage(name, formulation, integrator):
    dense, sparse = (make_stepper(mechanism, formulation, integrator) for mechanism in PAIRS[name])
    for _ in range(20):
        dense.step(1e-5, np.ones(dense.mechanism.g))
        sparse.step(1e-5, np.ones(dense.mechanism.g))
    share = 1e-7 if formulation == 'penalty' else 1e-9      # its matrix is badly conditioned
    same(dense.q, sparse.q, share)
    same(dense.qd, sparse.qd, share)


@pytest.mark.parametrize('name', ['six_axis_arm', 'cylindrical', 'screw', 'universal', 'spherical'])
@pytest.mark.parametrize('integrator', ['trapezoidal', 'rk4'])
def test_trees_step_as_those_of_dense_storage(name, integrator):
    dense, sparse = (make_stepper(mechanism, 'semi_recursive', integrator)
                     for mechanism in PAIRS[name])
    for stepper in (dense, sparse):
        stepper.reset(dense.mechanism.z0, np.linspace(1.0, 2.0, dense.mechanism.g))
    for _ in range(20):
        dense.step(1e-3, np.ones(dense.mechanism.g))
        sparse.step(1e-3, np.ones(dense.mechanism.g))
    same(dense.q, sparse.q)
    same(dense.qd, sparse.qd)


def test_a_long_chain_has_one_motion_by_all_formulations():
    links = 40
    large = chain(links, start_velocity={f'turn{k + 1}': 0.2 * (-1) ** (k // 3)
                                         for k in range(links)})
    assert large.is_sparse
    assert large.n == 7 * links
    joints, truth = (simulate(large, 0.1, 1e-3, formulation, 'rk4', estimate_error=False)
                     for formulation in ('semi_recursive', 'lagrange'))
    np.testing.assert_allclose(joints.z[-1], truth.z[-1], atol=1e-8)
    np.testing.assert_allclose(joints.zd[-1], truth.zd[-1], atol=1e-7)
    near = simulate(large, 0.1, 1e-3, estimate_error=False)      # index3_al, trapezoidal
    np.testing.assert_allclose(near.z[-1], truth.z[-1], atol=1e-4)
    energies = [sum(large.energy(z, zd, near=q)) for z, zd, q
                in zip(joints.z[::20], joints.zd[::20], joints.q[::20], strict=True)]
    assert np.ptp(energies) < 1e-7 * np.ptp([0.0, large.energy(large.z0, large.zd0)[0]])


def test_a_chain_as_stiff_rod_swings_like_a_pendulum():
    """Only its first hinge turns just after the start: acceleration of a rod as long as all."""
    links = 60
    large = chain(links, gravity=[-9.81, 0.0, 0.0])
    zdd = np.zeros(links)
    zdd[0] = 1.0
    moment = large.inverse_dynamics(large.z0, np.zeros(links), zdd)[0]
    mass, length, radius = 0.5 * links, 0.3 * links, 0.02
    inertia = mass * (length ** 2 / 3.0 + radius ** 2 / 4.0)
    # Weight towards -x turns a rod that hangs along -z about +y.
    assert moment == pytest.approx(inertia - mass * 9.81 * length / 2.0, rel=1e-9)


def test_what_large_mechanisms_cannot_do_is_said():
    _, platform = PAIRS['stewart']
    with pytest.raises(ValueError, match=r'formulation: matrix_r: not for large.*semi_recursive'):
        make_stepper(platform, 'matrix_r')
    with pytest.raises(MechanismError, match=r'linearise: only for .* up to 150 coordinates'):
        platform.linearise(platform.z0, platform.zd0)
