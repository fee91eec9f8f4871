"""Geared rotors: they add to the inertia of the joints that they drive."""

import numpy as np
import pytest

from mb_model import load_mechanism, simulate

RATIO = 6.0


@pytest.fixture(scope='module')
def geared():
    """A double pendulum with a geared rotor in its elbow."""
    return load_mechanism('geared_double_pendulum')


def test_a_rotor_adds_the_square_of_the_ratio(geared):
    """Its kinetic energy is half of its inertia times (rate of the first link + ratio elbow)^2."""
    other = geared.replace(parameters={'rotor_inertia': 3e-4})
    z, added = [0.3, 0.7], 3e-4 - geared.parameters['rotor_inertia']
    rotor = added * np.outer([1.0, RATIO], [1.0, RATIO])
    more = [other.inverse_dynamics(z, [0.0, 0.0], unit) - geared.inverse_dynamics(
        z, [0.0, 0.0], unit) for unit in np.eye(2)]
    np.testing.assert_allclose(more, rotor, atol=1e-9)


def test_a_gear_holds_over_many_turns(geared):
    turned = geared.replace(gravity=[0.0, 0.0], forces={
        'motor': {'kind': 'constant', 'coordinate': 'elbow', 'force': 1.0}})
    run = simulate(turned, 1.0, 2e-4)
    turn, elbow = (run.q[:, geared.coordinates.index(name)] for name in ('rotor_turn', 'elbow'))
    assert np.abs(elbow).max() > 10.0
    np.testing.assert_allclose(turn, RATIO * elbow, atol=1e-9)
