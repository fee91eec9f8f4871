"""Mass matrix, gravity, forward and inverse dynamics, multipliers."""

from by_differences import by_state, draw_state
from hypothesis import HealthCheck, given, settings, strategies as st
import numpy as np
from planar_machines import MANY_FORCES, MANY_KINDS, THREE_POINT
import pytest
from truth import Linkage

from mb_model import load_mechanism, make_stepper, simulate
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


THOROUGH = settings(deadline=None, max_examples=100, suppress_health_check=list(HealthCheck))
MECHANISMS = [load_mechanism('four_bar'), load_mechanism('five_bar'),
              Mechanism(THREE_POINT, 'three_point.yaml'),
              Mechanism(MANY_KINDS, 'many_kinds.yaml').replace(forces=MANY_FORCES),
              load_mechanism('four_bar_split'), load_mechanism('slider_crank')]
H = 1e-3


@THOROUGH
@given(which=st.integers(0, len(MECHANISMS) - 1), data=st.data())
def test_a_and_b_are_the_derivatives_of_the_acceleration(which, data):
    mechanism = MECHANISMS[which]
    z, zd, forces = draw_state(data, mechanism)
    for found, expected in zip(mechanism.linearise(z, zd, forces),
                               by_state(mechanism, z, zd, H, forces, order=4), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-6,
                                   atol=1e-6 * max(1.0, np.abs(found).max()))


@THOROUGH
@given(which=st.integers(0, len(MECHANISMS) - 1), data=st.data())
def test_a_force_on_any_coordinate_changes_the_acceleration_linearly(which, data):
    mechanism = MECHANISMS[which]
    z, zd, forces = draw_state(data, mechanism)
    jacobian = mechanism.force_jacobian(z, zd)
    places = [mechanism.coordinates.index(name) for name in mechanism.independent]
    change = mechanism.forward_dynamics(z, zd, forces) - mechanism.forward_dynamics(z, zd)
    np.testing.assert_allclose(jacobian[:, places] @ forces, change, rtol=1e-9,
                               atol=1e-9 * max(1.0, np.abs(change).max()))
