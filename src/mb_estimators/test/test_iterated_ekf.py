"""iterated_ekf against the minimum of the misfit of prediction and readings together."""

import numpy as np
import pytest
from scipy.optimize import least_squares

from mb_estimators import make_filter
from mb_model import load_mechanism
from mb_sensors.readings import true_values

DT = 0.005
CASES = pytest.mark.parametrize(('name', 'sensors', 'move'), [
    ('four_bar_spring_damper', ['distance_across', 'coupler_gyro'], 0.15),
    ('five_bar', ['coupler_gyros', 'crank_encoders'], 0.2),
    ('four_bar', ['crank_accelerometers'], 0.1)])


def predicted(name, sensors, **settings):
    """Return a filter that moves, with a wide and correlated P, and that P."""
    mechanism = load_mechanism(name)
    filter_ = make_filter('iterated_ekf', mechanism, sensors, DT, gate=0.0, **settings)
    g = mechanism.g
    mix = np.eye(3 * g) + 0.3 * np.random.default_rng(1).normal(size=(3 * g, 3 * g))
    P = mix @ np.diag(np.repeat([0.04, 0.09, 0.5], g)) @ mix.T
    filter_.reset(mechanism.z0 + 0.1, np.linspace(0.8, -0.5, g), P)
    return filter_, P


def read(filter_, x, near):
    """Return what ideal sensors read at x = (z, zd, error of zdd), and the position there."""
    mechanism, g = filter_.mechanism, filter_.mechanism.g
    q = mechanism.assemble(x[:g], near)
    qd = mechanism.velocity(q, x[g:2 * g])
    zdd = mechanism.forward_dynamics(x[:g], x[g:2 * g], near=near) + x[2 * g:]
    states = [each[np.newaxis] for each in (q, qd, mechanism.acceleration(q, qd, zdd))]
    return np.hstack([true_values(mechanism, sensor, *states)[0] for sensor in filter_.sensors])


@CASES
def test_a_correction_ends_at_the_likeliest_state(name, sensors, move):
    """With accelerometers up to what the inertia changes by along the step: see its docstring."""
    filter_, P = predicted(name, sensors, settled=1e-9, iterations=200)
    g, near = filter_.mechanism.g, filter_.estimate.q
    before = np.concatenate([filter_.estimate.z, filter_.estimate.zd, np.zeros(g)])
    sigma = np.concatenate([np.full(len(s.channels), s.settings.sigma) for s in filter_.sensors])
    readings = read(filter_, before + move * np.resize([1.0, -0.7], 3 * g), near)
    whiten = np.linalg.inv(np.linalg.cholesky(P))

    def misfit(x):
        return np.concatenate([whiten @ (x - before), (readings - read(filter_, x, near)) / sigma])

    best = least_squares(misfit, before, xtol=1e-14, ftol=1e-14, gtol=1e-14).x
    fit = filter_.correct(readings)
    estimate = filter_.estimate
    assert filter_.unsettled == 0
    assert filter_.linearisations > 2
    tolerance = 2e-3 if sensors == ['crank_accelerometers'] else 1e-6
    np.testing.assert_allclose(np.concatenate([estimate.z, estimate.zd]), best[:2 * g],
                               atol=tolerance)
    np.testing.assert_allclose(fit.residual, readings - read(filter_, before, near), atol=1e-9)
    plain = make_filter('error_ekf_fe', filter_.mechanism, sensors, DT, gate=0.0)
    plain.reset(before[:g], before[g:2 * g], P)
    np.testing.assert_allclose(plain.correct(readings).covariance, fit.covariance, rtol=1e-12)
    x = np.concatenate([plain.estimate.z, plain.estimate.zd])
    assert np.abs(x - best[:2 * g]).max() > 5.0 * tolerance


@CASES
@pytest.mark.parametrize('iterations', [1, 2])
def test_it_is_the_plain_filter_with_one_linearisation_and_where_it_does_not_settle(
        name, sensors, move, iterations):
    filter_, P = predicted(name, sensors, settled=1e-12, iterations=iterations)
    plain = make_filter('error_ekf_fe', filter_.mechanism, sensors, DT, gate=0.0)
    plain.reset(filter_.estimate.z, filter_.estimate.zd, P)
    readings = read(filter_, np.concatenate(
        [plain.estimate.z + move, plain.estimate.zd, 0.0 * plain.estimate.z]), plain.estimate.q)
    for each in (filter_, plain):
        each.correct(readings)
        each.predict(DT)
    assert filter_.unsettled == (iterations == 2)
    np.testing.assert_array_equal(filter_.estimate.q, plain.estimate.q)
    np.testing.assert_array_equal(filter_.estimate.forces, plain.estimate.forces)
    np.testing.assert_array_equal(filter_.estimate.covariance, plain.estimate.covariance)
