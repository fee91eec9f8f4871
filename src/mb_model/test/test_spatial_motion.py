"""Motions in space against closed forms: a body without torque, a heavy top, energy."""

from hypothesis import given
from hypothesis.extra.numpy import arrays
from hypothesis.strategies import floats
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation
from spatial_machines import FORCES, STRUT, TORQUE_FREE, cross, on_joint

from mb_model import simulate
from mb_model.mechanism import Mechanism
from mb_model.space.rotation import (
    across,
    frame,
    of_roll_pitch_yaw,
    roll_pitch_yaw,
    rotation,
    shortest,
    unit,
)

INERTIA = np.array(TORQUE_FREE['bodies']['box']['inertia'])


def euler(inertia, moment, start, turn, duration):
    """Return (angular velocity in the body's frame (3), rotation (3, 3)) by Euler's equations.

    moment(rotation): in the body's frame.
    """
    def rates(_, y):
        w, rotation = y[:3], y[3:].reshape(3, 3)
        return np.r_[(np.cross(inertia * w, w) + moment(rotation)) / inertia,
                     (rotation @ cross(w)).ravel()]
    end = solve_ivp(rates, (0.0, duration), np.r_[start, turn.ravel()], method='DOP853',
                    rtol=1e-13, atol=1e-13).y[:, -1]
    return end[:3], end[3:].reshape(3, 3)


@pytest.mark.parametrize(('formulation', 'integrator', 'error'), [
    ('matrix_r', 'rk4', 5e-8), ('lagrange', 'rk4', 5e-7), ('index3_al', 'trapezoidal', 3e-4),
    ('coordinate_partitioning', 'rk4', 5e-8), ('semi_recursive', 'rk4', 5e-8)])
def test_a_body_without_torque_tumbles_as_euler_says(formulation, integrator, error):
    """About its middle axis, over every orientation."""
    mechanism = Mechanism(TORQUE_FREE, 'torque_free.yaml')
    start = mechanism.body_motion('box', mechanism.q0, mechanism.velocity(mechanism.q0,
                                                                         mechanism.zd0))
    np.testing.assert_allclose(start.rotation.T @ start.angular_velocity, mechanism.zd0[3:],
                               atol=1e-12)
    run = simulate(mechanism, 5.0, 1e-3, formulation, integrator, estimate_error=False)
    rates, turn = euler(INERTIA, lambda rotation: np.zeros(3), mechanism.zd0[3:], start.rotation,
                        5.0)
    end = mechanism.body_motion('box', run.q[-1], run.qd[-1])
    np.testing.assert_allclose(end.rotation, turn, atol=error)
    np.testing.assert_allclose(end.rotation.T @ end.angular_velocity, rates, atol=10 * error)
    centre = end.position_of([0.1, 0.0, 0.0])
    np.testing.assert_allclose(centre - start.position_of([0.1, 0.0, 0.0]), [1.5, 0.0, 0.0],
                               atol=1e-6)


def test_a_heavy_top_precesses_as_euler_says():
    raw = {'name': 'top', 'dimension': 3, 'bodies': {'top': {
        'mass': 1.3, 'centre_of_gravity': [0.0, 0.0, 0.2], 'inertia': [0.02, 0.02, 0.01],
        'points': {'tip': [0.0, 0.0, 0.0]}, 'pose': {'turn': [0.5, 0.2, 0.0]}}},
        'joints': {'tip': {'kind': 'spherical', 'bodies': ['ground', 'top'],
                           'at': [[0.0, 0.0, 0.0], 'tip']}},
        'coordinates': {'turn': {'kind': 'orientation', 'body': 'top'}},
        'independent': ['turn.x', 'turn.y', 'turn.z'], 'start_velocity': {'turn.z': 40.0}}
    mechanism = Mechanism(raw, 'top.yaml')
    about_tip = np.array([0.02 + 1.3 * 0.04, 0.02 + 1.3 * 0.04, 0.01])
    start = mechanism.body_motion('top', mechanism.q0).rotation
    rates, turn = euler(about_tip, lambda rotation: np.cross(
        [0.0, 0.0, 0.2], 1.3 * rotation.T @ [0.0, 0.0, -9.81]), [0.0, 0.0, 40.0], start, 2.0)
    errors = []
    for dt in (1e-3, 5e-4):
        run = simulate(mechanism, 2.0, dt, 'matrix_r', 'rk4', estimate_error=False)
        end = mechanism.body_motion('top', run.q[-1], run.qd[-1])
        errors.append([np.abs(end.rotation - turn).max(),
                       np.abs(end.rotation.T @ end.angular_velocity - rates).max()])
    assert (errors[1] < np.array([1e-5, 1e-3])).all()
    np.testing.assert_allclose(np.log2(np.divide(*errors)), 4.0, atol=0.5)      # the order


@pytest.mark.parametrize('raw', [on_joint('universal'), on_joint('screw'), STRUT],
                         ids=lambda raw: raw['name'])
def test_energy_is_kept(raw):
    mechanism = Mechanism(raw, 'space.yaml')
    run = simulate(mechanism, 0.5, 1e-3, 'matrix_r', 'rk4', zd0=np.full(mechanism.g, 1.5),
                   estimate_error=False)
    balance = run.energy()
    assert np.ptp(balance.kinetic) > 0.1
    np.testing.assert_allclose(balance.drift, 0.0, atol=1e-5)


def test_energy_of_all_forces_is_accounted_for():
    mechanism = Mechanism(on_joint('universal') | {'forces': FORCES}, 'space.yaml')
    run = simulate(mechanism, 1.0, 5e-4, 'matrix_r', 'rk4', estimate_error=False)
    np.testing.assert_allclose(run.energy().drift, 0.0, atol=1e-5)


VECTORS = arrays(float, 3, elements=floats(-6.0, 6.0))
DIRECTIONS = VECTORS.filter(lambda vector: np.linalg.norm(vector) > 1e-3)


@given(VECTORS)
def test_rotation_vectors(vector):
    np.testing.assert_allclose(rotation(vector), Rotation.from_rotvec(vector).as_matrix(),
                               atol=1e-12)


@given(VECTORS)
def test_roll_pitch_yaw(angles):
    np.testing.assert_allclose(of_roll_pitch_yaw(angles),
                               Rotation.from_euler('xyz', angles).as_matrix(), atol=1e-12)


@pytest.mark.parametrize('angles', [(0.3, -0.4, 0.5), (0.0, 0.5 * np.pi, 0.7),
                                    (3.0, 1.2, -2.0), (0.0, -0.5 * np.pi, -0.2)])
def test_roll_pitch_and_yaw_turn_back(angles):
    np.testing.assert_allclose(
        roll_pitch_yaw(Rotation.from_euler('xyz', angles).as_matrix()), angles, atol=1e-12)


@given(DIRECTIONS, DIRECTIONS)
def test_the_least_turn_between_directions(first, second):
    turn = shortest(first, second)
    np.testing.assert_allclose(turn @ unit(first), unit(second), atol=1e-9)
    angle = np.arccos(np.clip(unit(first) @ unit(second), -1.0, 1.0))
    np.testing.assert_allclose(Rotation.from_matrix(turn).magnitude(), angle, atol=1e-6)


@given(DIRECTIONS)
def test_frames(axis):
    axes = frame(axis, across(axis))
    np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(axes[:, 2], unit(axis), atol=1e-12)
    assert np.linalg.det(axes) > 0.0
