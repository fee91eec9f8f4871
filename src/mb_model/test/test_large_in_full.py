"""Mechanisms that are sparse by their size have exact derivatives, up to 400 coordinates."""

from functools import cache

import numpy as np
import open_machines
import pytest

from mb_model.mechanism import Mechanism
from mb_model.mechanism_file.description import MechanismError


@cache
def legs(count, storage=None):
    """Return a Mechanism of so many legs beside each other, on a driven leg each."""
    bodies, joints = {}, {}
    for k in range(count):
        one = open_machines.leg()
        for name, body in one['bodies'].items():
            body['pose']['at'][1] += 0.3 * k
            bodies[f'{name}{k}'] = body
        for name, joint in one['joints'].items():
            first, second = joint['bodies']
            if first == 'ground':
                joint['at'][0][1] += 0.3 * k
            joints[f'{name}{k}'] = joint | {
                'bodies': [first if first == 'ground' else f'{first}{k}', f'{second}{k}']}
    return Mechanism(open_machines.machine('legs', bodies, joints), 'legs.yaml', storage)


def test_linearised_motion_of_a_large_machine_is_that_of_differences():
    machine = legs(4)
    assert machine.is_sparse
    z, zd = machine.z0, np.linspace(-0.3, 0.4, machine.g)
    A, B = machine.linearise(z, zd)
    steps = 1e-6 * np.eye(machine.g)
    by_z, by_zd = (np.array([(machine.forward_dynamics(z + a, zd + b)
                              - machine.forward_dynamics(z - a, zd - b)) / 2e-6
                             for a, b in pairs]).T
                   for pairs in (zip(steps, 0.0 * steps, strict=True),
                                 zip(0.0 * steps, steps, strict=True)))
    np.testing.assert_allclose(A, by_z, rtol=1e-4, atol=1e-3 * np.abs(A).max())
    np.testing.assert_allclose(B, by_zd, rtol=1e-4, atol=1e-3 * np.abs(B).max())


def test_velocities_by_full_matrices_are_those_of_sparse_ones():
    machine = legs(4)
    zd = np.linspace(-1.0, 1.0, machine.g)
    np.testing.assert_allclose(machine.R(machine.q0) @ zd, machine.velocity(machine.q0, zd),
                               atol=1e-9)
    assert machine.in_full('a test') is machine.in_full('a test')
    np.testing.assert_allclose(machine.in_full('a test').q0, machine.q0, atol=1e-9)


def test_storage_that_was_asked_for_is_not_replaced():
    machine = legs(1, 'sparse')
    with pytest.raises(MechanismError, match='linearise: storage: sparse: only for mechanisms'):
        machine.linearise(machine.z0, machine.zd0)
