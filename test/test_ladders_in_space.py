"""Ladders in space, many closed loops, of the benchmark: their loops close in small clusters."""

import numpy as np
import pytest

from benchmarks.size_of_machines import ladder
from mb_model import Mechanism, make_stepper, simulate

CELLS = 12


def clusters_of(mechanism):
    """Return how many joints each cluster of loops has."""
    model = make_stepper(mechanism, 'semi_recursive', 'rk4').model[0]
    return np.diff(model['cluster_begin'][:int(model['clusters']) + 1])


def moved(cells, in_turn, floats):
    """Return a ladder with sparse storage."""
    return Mechanism(ladder(cells, in_turn, floats), 'ladder.yaml', 'sparse')


@pytest.mark.parametrize('floats', [False, True])
@pytest.mark.parametrize('in_turn', [False, True])
def test_every_loop_is_a_cluster(in_turn, floats):
    """Three joints and a ball's two turns of a rod: none of another loop."""
    sizes = clusters_of(moved(CELLS, in_turn, floats))
    assert sizes.max() == 4
    assert np.count_nonzero(sizes == 4) == CELLS


@pytest.mark.parametrize('floats', [False, True])
@pytest.mark.parametrize('in_turn', [False, True])
def test_motion_is_that_of_all_coordinates(in_turn, floats):
    mechanism = moved(CELLS, in_turn, floats)
    joints, truth = (simulate(mechanism, 0.05, 1e-3, formulation, 'rk4', estimate_error=False)
                     for formulation in ('semi_recursive', 'lagrange'))
    assert np.abs(truth.z[-1] - truth.z[0]).max() > 0.01
    np.testing.assert_allclose(joints.q[-1], truth.q[-1], rtol=0.0, atol=1e-8)
    np.testing.assert_allclose(joints.qd[-1], truth.qd[-1], rtol=0.0, atol=1e-7)


def test_energy_is_kept():
    mechanism = moved(CELLS, True, True)
    motion = simulate(mechanism, 0.2, 1e-3, 'semi_recursive', 'rk4', estimate_error=False)
    energies = [mechanism.energy(z, zd, near=q) for z, zd, q in zip(
        motion.z[::20], motion.zd[::20], motion.q[::20], strict=True)]
    kinetic = max(energy[0] for energy in energies)
    assert np.ptp([sum(energy) for energy in energies]) < 1e-6 * kinetic
