"""The continuous filters against a general solver of their equations."""

from numba import njit
import numpy as np
import pytest
from scipy.optimize import root

from mb_estimators import make_filter
from mb_estimators.kernels.penalty_prediction import PENALTY_STEP, differentiate_penalty
from mb_model import load_mechanism
from mb_model.jit import sizes_of
from mb_model.kernel_api import PENALTY_FORMULATION as PENALTY, accelerations
from mb_sensors.readings import true_values

H = 0.02


@pytest.mark.parametrize('tangent', ['exact', 'approximate'])
def test_a_corrected_step_satisfies_the_equations_of_the_filter(tangent):
    """Whatever the tangent of its iteration is."""
    mechanism = load_mechanism('four_bar')
    filter_ = make_filter('cekf', mechanism, ['coupler_gyro'], H, tangent=tangent)
    z0, zd0 = mechanism.z0 + 0.3, np.array([1.5])
    zdd0 = mechanism.forward_dynamics(z0, zd0)
    filter_.reset(z0, zd0)
    filter_.predict(H)
    prior = filter_.estimate
    sensor = filter_.sensors[0]

    def h(x):
        q = mechanism.assemble(x[:1])
        qd = mechanism.velocity(q, x[1:])
        return true_values(mechanism, sensor, q[None], qd[None], 0.0 * q[None])[0]

    x = np.concatenate([prior.z, prior.zd])
    jacobian = np.array([(h(x + d) - h(x - d)) / 2e-6 for d in 1e-6 * np.eye(2)]).T
    gain = prior.covariance @ jacobian.T / sensor.settings.variance
    reading = h(x) + 0.2

    def missing(x):
        feedback = gain @ (reading - h(x))
        zdd = mechanism.forward_dynamics(x[:1], x[1:])
        return np.concatenate([
            z0 + H / 2.0 * (zd0 + x[1:]) - x[:1] + feedback[:1],
            zd0 + H / 2.0 * (zdd0 + zdd) - x[1:] + feedback[1:]])

    solution = root(missing, x, tol=1e-12)
    assert solution.success
    fit = filter_.correct(reading)
    np.testing.assert_allclose(fit.residual, 0.2, atol=1e-9)
    estimate = filter_.estimate
    assert abs(estimate.zd - prior.zd) > 0.05
    np.testing.assert_allclose([*estimate.z, *estimate.zd], solution.x, atol=1e-6)


def penalty_accelerations(mechanism, q, qd):
    """Return qdd of the penalty method of the four-bar linkage, with the settings of the filter.

    Rods whose ends are points 1 and 2 and two ground points.  Rodriguez et al. 2023, Eq. (28).
    """
    crank, coupler, rocker = 2.0, 8.0, 5.0
    M = np.zeros((5, 5))
    M[:4, :4] = np.kron(np.array([[2.0 * (crank + coupler), coupler],
                                  [coupler, 2.0 * (coupler + rocker)]]) / 6.0, np.eye(2))
    Q = -9.81 / 2.0 * np.array([0.0, crank + coupler, 0.0, coupler + rocker, 0.0])
    terms = mechanism.constraint_terms(q, qd)
    alpha = np.diag(mechanism.model['stiffness'][0, :4])
    push = terms.phi_q_dot @ qd + 2.0 * 1.0 * 10.0 * terms.phi_q @ qd + 10.0 ** 2 * terms.phi
    return np.linalg.solve(M + terms.phi_q.T @ alpha @ terms.phi_q,
                           Q - terms.phi_q.T @ alpha @ push)


def test_a_corrected_step_of_all_coordinates_satisfies_the_equations_of_the_filter():
    mechanism = load_mechanism('four_bar')
    filter_ = make_filter('cekf_penalty', mechanism, ['coupler_gyro'], H,
                          constraint_tolerance=1e3, natural_frequency=10.0)
    sensor, z0, zd0 = filter_.sensors[0], mechanism.z0 + 0.3, np.array([1.5])
    filter_.reset(z0, zd0)
    start = np.concatenate([filter_.estimate.q, filter_.estimate.qd])
    filter_.predict(H)
    prior = filter_.estimate

    def state(z, zd):
        q = mechanism.assemble(z)
        return np.concatenate([q, mechanism.velocity(q, zd)])

    def h(x):
        return true_values(mechanism, sensor, x[None, :5], x[None, 5:], 0.0 * x[None, :5])[0]

    def rates(x):
        return np.concatenate([x[5:], penalty_accelerations(mechanism, x[:5], x[5:])])

    x, d = np.concatenate([prior.q, prior.qd]), 1e-6
    spread = np.array([state(prior.z + d, prior.zd) - state(prior.z - d, prior.zd),
                       state(prior.z, prior.zd + d) - state(prior.z, prior.zd - d)]).T / (2.0 * d)
    jacobian = np.array([(h(x + e) - h(x - e)) / (2.0 * d) for e in d * np.eye(10)]).T
    gain = spread @ prior.covariance @ spread.T @ jacobian.T / sensor.settings.variance
    reading = h(x) + 0.2
    solution = root(lambda x: start + H / 2.0 * (rates(start) + rates(x)) - x
                    + gain @ (reading - h(x)), x, tol=1e-12)
    assert solution.success
    filter_.correct(reading)
    estimate = filter_.estimate
    assert abs(estimate.zd - prior.zd) > 0.05
    np.testing.assert_allclose([*estimate.q, *estimate.qd], solution.x, atol=2e-5)


def test_accelerations_of_the_penalty_method_have_the_derivatives_of_central_differences():
    """Also where the constraints are violated a little."""
    mechanism = load_mechanism('four_bar')
    work = mechanism.workspace()
    step = PENALTY_STEP.of(sizes_of(mechanism.model) | {'states': 12, 'channels': 0})
    work['natural_frequency'], work['damping_ratio'] = 10.0, 1.0
    q = mechanism.assemble(mechanism.z0 + 0.3)
    qd = mechanism.velocity(q, np.array([1.5]))
    x = np.concatenate([q, qd]) + 1e-3 * np.random.default_rng(5).normal(size=10)
    derivatives_at(mechanism.model, work, step, x)
    by_state = np.hstack([step['qdd_q'][0, :5, :5], step['qdd_qd'][0, :5, :5]])
    for i, offset in enumerate(1e-5 * np.eye(10)):
        ahead, behind = (penalty_accelerations(mechanism, y[:5], y[5:])
                         for y in (x + offset, x - offset))
        np.testing.assert_allclose(by_state[:, i], (ahead - behind) / 2e-5, rtol=1e-5, atol=1e-3)


@njit
def derivatives_at(models, works, steps, x):
    n = models[0].n
    for i in range(n):
        works[0].q[i], works[0].qd[i] = x[i], x[n + i]
    accelerations(models[0], works[0], PENALTY)
    differentiate_penalty(models[0], works[0], steps[0])
