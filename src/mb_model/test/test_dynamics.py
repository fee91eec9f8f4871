"""Mass matrix, gravity, forward and inverse dynamics, multipliers."""

import numpy as np
from planar_machines import THREE_POINT
import pytest
from truth import Linkage

from mb_model import make_stepper
from mb_model.kernels import constraints, mass
from mb_model.mechanism import Mechanism


def test_mass_matrix_is_that_of_the_body_piece_by_piece():
    """A body cut into many pieces: the kinetic energy is the sum over the pieces."""
    raw = {'name': 'two', 'points': {'A': {'start': [0, 0]}, 'B': {'start': [2, 0]}},
           'bodies': {'body': {'points': ['A', 'B'], 'length': 2.0, 'mass': 3.0,
                               'centre_of_gravity': [0.7, -0.4], 'inertia': 1.25}},
           'independent': ['A.x', 'A.y', 'B.y']}
    mechanism = Mechanism(raw, 'two.yaml')
    M = mechanism.workspace()['M'][0, :4, :4]
    np.testing.assert_allclose(M, M.T)
    # Two pieces of half the mass, at +-radius from the centre, have the inertia 3 radius^2.
    radius = np.sqrt(1.25 / 3.0)
    rng = np.random.default_rng(1)
    for _ in range(5):
        place, angle, (vx, vy, turn) = rng.normal(size=2), rng.normal(), rng.normal(size=3)
        c, s = np.cos(angle), np.sin(angle)
        frame = np.array([[c, -s], [s, c]])

        def speed(local, frame=frame, v=(vx, vy), turn=turn):
            x, y = frame @ local
            return np.array([v[0] - turn * y, v[1] + turn * x])

        pieces = [np.array([0.7, -0.4]) + radius * np.array(d) for d in ((0.6, 0.8), (-0.6, -0.8))]
        kinetic = sum(0.5 * 1.5 * speed(piece) @ speed(piece) for piece in pieces)
        qd = np.concatenate([speed(np.zeros(2)), speed(np.array([2.0, 0.0]))])
        assert 0.5 * qd @ M @ qd == pytest.approx(kinetic, rel=1e-12)
        # Gravity: the power of Q is the weight times the speed of the centre of gravity.
        Q = np.zeros(4)
        mass.add_gravity(mechanism.model[0], Q)
        centre = speed(np.array([0.7, -0.4]))
        assert Q @ qd == pytest.approx(-3.0 * 9.81 * centre[1], rel=1e-12)
        assert place.shape == (2,)


def test_five_bar_obeys_lagrange(five_bar, rng):
    truth = Linkage.five_bar()
    for _ in range(10):
        z = five_bar.z0 + 0.3 * rng.normal(size=2)
        zd, force = rng.normal(size=2), 5.0 * rng.normal(size=2)
        np.testing.assert_allclose(five_bar.assemble(z)[:6], truth.points(z)[:3].ravel(), atol=1e-9)
        np.testing.assert_allclose(five_bar.forward_dynamics(z, zd, force),
                                   truth.acceleration(z, zd, force), rtol=1e-6, atol=1e-6)


def test_inverse_dynamics_gives_the_forces_back(rng):
    mechanism = Mechanism(THREE_POINT, 'three_point.yaml')
    for _ in range(10):
        z = mechanism.z0 + 0.2 * rng.normal(size=2)
        zd, force = rng.normal(size=2), rng.normal(size=2)
        zdd = mechanism.forward_dynamics(z, zd, force)
        np.testing.assert_allclose(mechanism.inverse_dynamics(z, zd, zdd), force, atol=1e-10)


def test_power_of_all_forces_is_the_change_of_energy(rng):
    """d(energy)/dt = force zd along the motion, for a mechanism with a three-point body."""
    mechanism = Mechanism(THREE_POINT, 'three_point.yaml')
    for _ in range(5):
        z = mechanism.z0 + 0.2 * rng.normal(size=2)
        zd, force = rng.normal(size=2), rng.normal(size=2)
        zdd = mechanism.forward_dynamics(z, zd, force)
        h = 1e-4
        before, after = (sum(mechanism.energy(z + t * zd + 0.5 * t * t * zdd, zd + t * zdd))
                         for t in (-h, h))
        assert (after - before) / (2 * h) == pytest.approx(force @ zd, rel=1e-5, abs=1e-5)


def test_multipliers_balance_every_coordinate(four_bar, rng):
    stepper = make_stepper(four_bar)
    stepper.reset([0.7], [2.0])
    stepper.forces[:] = 12.0
    stepper.refresh()
    work, n, m = stepper.work[0], four_bar.n, four_bar.m
    phi, phi_q = np.zeros(m), np.zeros((m, 9))
    constraints.evaluate(four_bar.model[0], work['q'], phi, phi_q)
    right = work['Q'][:n].copy()
    right[four_bar.angle_index('crank')] += 12.0
    balance = work['M'][:n, :n] @ stepper.qdd + phi_q[:, :n].T @ work['lam'][:m] - right
    np.testing.assert_allclose(balance, 0.0, atol=1e-10)
