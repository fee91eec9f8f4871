"""The continuous filters as published, against a general solver of Kalman and Bucy's equations."""

from itertools import pairwise

from filter_traits import CONTINUOUS
from free_motion import FLYWHEEL, SLED
from numba import njit
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from mb_estimators import DivergenceError, Experiment, make_filter
from mb_estimators.kernels.published_jacobians import (
    differentiate_matrix_r,
    differentiate_penalty_method,
)
from mb_model import load_mechanism
from mb_model.kernel_api import PENALTY_FORMULATION as PENALTY, accelerations, forward_dynamics
from mb_model.record import PENALTY as PENALTY_FACTOR
from mb_sensors.readings import true_values

DAMPED = load_mechanism('four_bar_spring_damper')
VARIANCE, PSD = 0.01, 0.4


def kalman_bucy(t, y, rates, jacobian, observed, readings, noise, Q):
    """Return the rates of x and P, stacked: Rodriguez et al. 2023, Eqs. (14)-(16)."""
    size = len(Q)
    x, P = y[:size], y[size:].reshape(size, size)
    h, H = observed(x)
    K = P @ H.T @ np.linalg.inv(noise)
    f = jacobian(x)
    return np.concatenate([rates(x) + K @ (readings(t) - h),
                           (f @ P + P @ f.T - K @ H @ P + Q).ravel()])


def solved(duration, x, P, *equations):
    """Return x and P after a while."""
    solution = solve_ivp(kalman_bucy, (0.0, duration), np.concatenate([x, P.ravel()]),
                         'DOP853', args=equations, rtol=1e-10, atol=1e-12)
    return solution.y[:len(x), -1], solution.y[len(x):, -1].reshape(len(x), len(x))


def filtered(filter_, duration, steps, readings):
    """Return the last estimate of a filter that gets readings at both ends of every step."""
    filter_.correct(readings(0.0))
    for k in range(steps):
        filter_.predict(duration / steps)
        filter_.correct(readings((k + 1) * duration / steps))
    return filter_.estimate


def converges(errors):
    """Return whether errors of step h, h/2 and h/4 fall as with the trapezoidal rule."""
    return errors[2] < 1e-4 and all(b < a / 3.0 or b < 1e-6 for a, b in pairwise(errors))


@pytest.mark.parametrize('mechanism', [FLYWHEEL, SLED], ids=['flywheel', 'sled'])
def test_on_a_free_motion_it_is_the_filter_of_kalman_and_bucy(mechanism):
    """Two sensors, one of which has an offset that walks; readings that are smooth over time."""
    second = list(mechanism.sensors)[1]
    mechanism = mechanism.replace(sensors={second: {'bias_sigma': 0.4, 'bias_walk': 0.3}})
    noise, duration = np.diag([0.02 ** 2, 0.05 ** 2]), 0.02
    H = np.array([[1.0, 0.0, 0.0], [0.0 if mechanism.name == 'flywheel' else 1.0, 0.0, 1.0]])
    H[1, 1] = 1.0 - H[1, 0]
    f = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])

    def readings(t):
        return np.array([0.31 + 2.0 * t, 2.1 + np.sin(40.0 * t)] if H[1, 1] else
                        [0.31 + 2.0 * t, 0.4 + 2.0 * t + 0.1 * np.sin(40.0 * t)])

    x, P = solved(duration, np.array([0.3, 2.0, 0.0]), np.diag([VARIANCE, VARIANCE, 0.16]),
                  lambda x: f @ x, lambda x: f, lambda x: (H @ x, H), readings, noise,
                  np.diag([0.0, PSD, 0.09]))
    errors = []
    for steps in (100, 200, 400):
        filter_ = make_filter('cekf', mechanism, list(mechanism.sensors), duration / steps,
                              as_published=True, initial_variance=VARIANCE, acceleration_psd=PSD)
        estimate = filtered(filter_, duration, steps, readings)
        bias, = estimate.biases.values()
        deviation, = estimate.bias_deviations.values()
        errors.append(max(
            np.abs([*estimate.z, *estimate.zd, bias] - x).max(),
            np.abs(estimate.covariance - P[:2, :2]).max() / np.abs(P[:2, :2]).max(),
            abs(deviation ** 2 - P[2, 2])))
    assert converges(errors), errors
    assert np.abs(x - [0.3 + 2.0 * duration, 2.0, 0.0]).max() > 0.01


def test_on_a_pendulum_it_is_the_filter_of_kalman_and_bucy():
    """By Eq. (23) gravity is no stiffness, so f = [0, 1; 0, 0]; the motion itself knows it."""
    mechanism, duration = load_mechanism('pendulum'), 0.3

    def readings(t):
        return np.array([0.1 - 6.0 * t ** 2])

    x, P = solved(duration, np.zeros(2), VARIANCE * np.eye(2),
                  lambda x: np.array([x[1], -1.5 * 9.81 * np.cos(x[0])]),
                  lambda x: np.array([[0.0, 1.0], [0.0, 0.0]]),
                  lambda x: (x[:1], np.array([[1.0, 0.0]])), readings,
                  np.array([[17.453e-3 ** 2]]), np.diag([0.0, PSD]))
    errors = []
    for steps in (60, 120, 240):
        filter_ = make_filter('cekf', mechanism, ['encoder'], duration / steps, gate=0.0,
                              as_published=True, initial_variance=VARIANCE, acceleration_psd=PSD)
        estimate = filtered(filter_, duration, steps, readings)
        errors.append(max(np.abs([*estimate.z, *estimate.zd] - x).max(),
                          np.abs(estimate.covariance - P).max()))
    assert errors[2] < 2e-3
    assert errors[1] < errors[0] / 3.0
    assert errors[2] < errors[1] / 3.0


def masses_and_forces(q, qd):
    """Return M, Q, K = -dQ/dq and C = -dQ/dqd of DAMPED; q: x1 y1 x2 y2 theta s."""
    crank, coupler, rocker = 2.0, 8.0, 5.0
    M = np.zeros((6, 6))
    M[:4, :4] = np.kron(np.array([[2.0 * (crank + coupler), coupler],
                                  [coupler, 2.0 * (coupler + rocker)]]) / 6.0, np.eye(2))
    Q = -9.81 / 2.0 * np.array([0.0, crank + coupler, 0.0, coupler + rocker, 0.0, 0.0])
    Q[5] = -25.0 * (q[5] - 8.0) - 5.0 * qd[5]
    return M, Q, np.diag([0.0] * 5 + [25.0]), np.diag([0.0] * 5 + [5.0])


def slopes(function, q):
    """Return the derivative of an array by q, by central differences; q the last axis."""
    return np.stack([(function(q + d) - function(q - d)) / 2e-5 for d in 1e-5 * np.eye(len(q))],
                    axis=-1)


def published_jacobian_of_matrix_r(z, zd):
    """Return Eq. (23) of Rodriguez et al. 2023, for DAMPED."""
    q = DAMPED.assemble(z)

    def transformation(q):
        phi_q, others = DAMPED.constraint_terms(q).phi_q, [0, 1, 2, 3, 5]
        R = np.ones((6, 1))
        R[others, 0] = -np.linalg.solve(phi_q[:, others], phi_q[:, 4])
        return R

    R, R_q = transformation(q), slopes(transformation, q)                   # (6, 1), (6, 1, 6)
    qd = R @ zd
    M, _, K, C = masses_and_forces(q, qd)
    zdd = DAMPED.forward_dynamics(z, zd)
    M_bar = R.T @ M @ R
    turned = np.einsum('ija,ak,j->ik', R_q, R, zdd)     # R_q R zdd
    F21 = -np.linalg.solve(M_bar, R.T @ (K @ R + 2.0 * M @ turned))
    F22 = -np.linalg.solve(M_bar, R.T @ (C @ R + M @ (R_q @ qd)))
    return np.block([[np.zeros((1, 1)), np.eye(1)], [F21, F22]])


def penalty_terms(q, qd):
    """Return qdd of Eq. (28) and the Jacobian of Eq. (31), both for DAMPED."""
    zeta, omega = 1.0, 10.0
    M, Q, K, C = masses_and_forces(q, qd)
    terms = DAMPED.constraint_terms(q, qd)
    phi_q, alpha = terms.phi_q, np.diag(DAMPED.model['stiffness'][0, :DAMPED.m])
    M_bar = M + phi_q.T @ alpha @ phi_q
    push = terms.phi_q_dot @ qd + 2.0 * zeta * omega * phi_q @ qd + omega ** 2 * terms.phi
    qdd = np.linalg.solve(M_bar, Q - phi_q.T @ alpha @ push)
    phi_qq = slopes(lambda q: DAMPED.constraint_terms(q).phi_q, q)
    F21 = -np.linalg.solve(M_bar, K + omega ** 2 * phi_q.T @ alpha @ phi_q
                           + 2.0 * phi_q.T @ np.einsum('kij,i->kj', phi_qq, qdd))
    F22 = -np.linalg.solve(M_bar, C + phi_q.T @ alpha @ (
        terms.phi_q_dot + 2.0 * zeta * omega * phi_q))
    return qdd, np.block([[np.zeros((6, 6)), np.eye(6)], [F21, F22]])


def test_the_jacobian_of_matrix_r_is_that_of_the_paper():
    work, f = DAMPED.workspace(), np.zeros((2, 2))
    z, zd = DAMPED.z0 + 0.3, np.array([1.5])
    work['q'][0, :6], work['zd'][0, :1] = DAMPED.assemble(z), zd
    matrix_r_at(DAMPED.model, work, f)
    np.testing.assert_allclose(f, published_jacobian_of_matrix_r(z, zd), rtol=1e-6, atol=1e-8)
    exact = DAMPED.linearise(z, zd)
    assert abs(f[1, 0] - exact[0][0, 0]) > 0.01         # it leaves terms out


def test_the_jacobian_of_the_penalty_method_is_that_of_the_paper():
    """Also where the constraints are violated a little."""
    work, f = DAMPED.workspace(), np.zeros((12, 12))
    work['natural_frequency'], work['damping_ratio'] = 10.0, 1.0
    work['penalty'] = PENALTY_FACTOR
    q = DAMPED.assemble(DAMPED.z0 + 0.3)
    x = np.concatenate([q, DAMPED.velocity(q, np.array([1.5]))])
    x += 1e-3 * np.random.default_rng(5).normal(size=12)
    penalty_at(DAMPED.model, work, x, f)
    expected = penalty_terms(x[:6], x[6:])[1]
    np.testing.assert_allclose(f, expected, rtol=1e-5, atol=1e-6 * np.abs(expected).max())


def test_the_approximate_jacobian_is_a_setting():
    """Of the covariance alone: discrete, as by default, with Eqs. (23), (77) and (107)."""
    h, z, zd, found = 0.005, DAMPED.z0 + 0.3, np.array([1.5]), []
    for jacobian in ('approximate', 'exact'):
        filter_ = make_filter('cekf', DAMPED, ['distance_across'], h, jacobian=jacobian,
                              initial_variance=VARIANCE, acceleration_psd=PSD)
        filter_.reset(z, zd)
        filter_.predict(h)
        found.append(filter_.estimate)
    A, B = published_jacobian_of_matrix_r(z, zd)[1]
    F = np.array([[1.0 + h * h / 2.0 * A, h + h * h / 2.0 * B], [h * A, 1.0 + h * B]])
    Q = PSD * np.array([[h ** 3 / 3.0, h * h / 2.0], [h * h / 2.0, h]])
    np.testing.assert_allclose(found[0].covariance[:2, :2], VARIANCE * F @ F.T + Q, rtol=1e-6)
    np.testing.assert_array_equal(found[0].z, found[1].z)
    assert np.abs(found[1].covariance / found[0].covariance - 1.0).max() > 1e-6


def test_the_approximate_jacobian_of_the_penalty_method_is_a_setting():
    """Of the covariance alone: the derivative of the trapezoidal rule's step, by Eq. (31)."""
    h, z, zd, found = 1e-3, DAMPED.z0 + 0.3, np.array([1.5]), []
    for jacobian in ('approximate', 'exact'):
        filter_ = make_filter('cekf_penalty', DAMPED, ['distance_across'], h, jacobian=jacobian,
                              initial_variance=VARIANCE, acceleration_psd=PSD)
        filter_.reset(z, zd)
        q = DAMPED.assemble(z)
        states = [np.concatenate([q, DAMPED.velocity(q, zd)])]
        filter_.predict(h)
        found.append(filter_.estimate)
        states.append(np.concatenate([found[-1].q, found[-1].qd]))
    work = DAMPED.workspace()
    work['natural_frequency'], work['damping_ratio'], work['penalty'] = 1.0, 1.0, PENALTY_FACTOR
    J = np.zeros((2, 12, 12))
    for x, f in zip(states, J, strict=True):
        penalty_at(DAMPED.model, work, x, f)
    moves = slopes(lambda x: np.concatenate([
        q := DAMPED.assemble(x[:1], near=states[0][:6]), DAMPED.velocity(q, x[1:])]),
        np.concatenate([z, zd]))
    F = np.linalg.solve(np.eye(12) - h / 2.0 * J[1], (np.eye(12) + h / 2.0 * J[0]) @ moves)
    Q = PSD * np.array([[h ** 3 / 3.0, h * h / 2.0], [h * h / 2.0, h]])
    independent = [4, 10]
    np.testing.assert_allclose(found[0].covariance[:2, :2],
                               VARIANCE * (F @ F.T)[np.ix_(independent, independent)] + Q,
                               rtol=1e-5)
    np.testing.assert_array_equal(found[0].z, found[1].z)
    assert np.abs(found[1].covariance / found[0].covariance - 1.0).max() > 1e-4


@pytest.mark.parametrize('as_published', [False, True])
def test_both_tangents_end_at_the_same_step(as_published):
    """With readings that move the linkage a good way."""
    ends = []
    for tangent in ('exact', 'approximate'):
        filter_ = make_filter('cekf', 'four_bar', ['crank_encoder'], 0.01, tangent=tangent,
                              as_published=as_published)
        for k in range(30):
            filter_.predict(0.01)
            filter_.correct(filter_.estimate.z + 0.02 * np.cos(k))
        ends.append(filter_.estimate)
    for name in ('z', 'zd', 'covariance'):
        np.testing.assert_allclose(getattr(ends[0], name), getattr(ends[1], name), rtol=1e-5,
                                   atol=1e-7)


@njit
def matrix_r_at(models, works, f):
    forward_dynamics(models[0], works[0])
    differentiate_matrix_r(models[0], works[0], f, True)


@njit
def penalty_at(models, works, x, f):
    n = models[0].n
    for i in range(n):
        works[0].q[i], works[0].qd[i] = x[i], x[n + i]
    accelerations(models[0], works[0], PENALTY)
    differentiate_penalty_method(models[0], works[0], f)


def test_with_the_penalty_method_it_is_the_filter_of_kalman_and_bucy():
    """Over some steps of the linkage with a spring, whose constraints nothing else holds."""
    duration, offset = 0.02, 0.05
    q = DAMPED.assemble(DAMPED.z0)
    start = np.concatenate([q, np.zeros(6)])
    probe = make_filter('error_ekf', DAMPED, ['distance_across'], duration).sensors[0]

    def h(x):
        return true_values(DAMPED, probe, x[None, :6], x[None, 6:], np.zeros((1, 6)))[0]

    def observed(x):
        return h(x), slopes(h, x)

    def readings(t):
        return h(start) + offset * np.cos(50.0 * t)

    def rates(x):
        return np.concatenate([x[6:], penalty_terms(x[:6], x[6:])[0]])

    x, P = solved(duration, start, VARIANCE * np.eye(12), rates,
                  lambda x: penalty_terms(x[:6], x[6:])[1], observed, readings,
                  np.eye(1) * probe.settings.variance,
                  np.diag([0.0] * 6 + [PSD] * 6))
    errors = []
    for steps in (20, 40, 80):
        filter_ = make_filter('cekf_penalty', DAMPED, ['distance_across'], duration / steps,
                              as_published=True, natural_frequency=10.0, gate=0.0,
                              initial_variance=VARIANCE, acceleration_psd=PSD)
        estimate = filtered(filter_, duration, steps, readings)
        place = [list(estimate.q).index(estimate.z[0])]
        errors.append(max(
            np.abs([*estimate.q, *estimate.qd] - x).max(),
            np.abs(np.sqrt(estimate.covariance[0, 0] / P[place, place][0]) - 1.0)))
    assert errors[2] < 5e-3
    assert errors[1] < errors[0] / 3.0
    assert errors[2] < errors[1] / 3.0
    assert np.abs(x - start).max() > 0.01


@pytest.mark.parametrize('name', CONTINUOUS)
def test_known_forces_act(name):
    """A torque as large as the weight of the level rod's holds it."""
    filter_ = make_filter(name, 'pendulum', ['encoder'], 0.005, as_published=True)
    for _ in range(20):
        filter_.predict(0.005, np.array([9.81 / 2.0]))
    assert abs(filter_.estimate.z[0]) < 1e-6
    filter_.predict(0.005)
    assert filter_.estimate.zd[0] == pytest.approx(-1.5 * 9.81 * 0.005, rel=1e-3)


def test_as_published_it_finds_no_position_from_the_rate_of_the_crank():
    """As Rodriguez et al. 2023, Sec. 12.2, say: no estimation with this sensor."""
    experiment = Experiment(load_mechanism('four_bar'), ['crank_gyro'],
                            {'gravity': -1.0, 'z0': np.pi / 16}, 4.0, 0.005)
    tuning = {'acceleration_psd': 0.73303}
    published = experiment.run('cekf', 1, as_published=True, **tuning)
    assert published.position_rmse[0] > 0.9 * np.pi / 16
    ours = experiment.run('cekf', 1, **tuning)
    assert ours.position_rmse_after_2s[0] < 0.2 * published.position_rmse_after_2s[0]


def test_a_torn_mechanism_is_given_up():
    """The weak penalty that suits ours cannot hold the constraints against the paper's gain."""
    experiment = Experiment(load_mechanism('four_bar'), ['crank_encoder'],
                            {'gravity': -1.0, 'z0': np.pi / 16}, 4.0, 0.005)
    with pytest.raises(DivergenceError):
        experiment.run('cekf_penalty', 1, as_published=True)
