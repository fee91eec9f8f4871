"""Filters in dependent coordinates against their equations in plain matrices."""

from filter_traits import DEPENDENT, PERFECT
import numpy as np
import pytest

from mb_estimators import DivergenceError, make_filter
from mb_model import apply_model_errors, load_mechanism, simulate
from mb_model.kernel_api import entry_points
from mb_sensors import sensors_of
from mb_sensors.readings import true_values

DT = 0.005
NAMES = pytest.mark.parametrize('name', DEPENDENT)


def constraints(mechanism, x):
    """Return phi and its rate at x = (q, qd), and their Jacobian, rates by central differences."""
    n, m, work = mechanism.n, mechanism.m, mechanism.workspace()

    def at(q):
        work['q'][0, :n] = q
        entry_points.evaluate_constraints(mechanism.model, work)
        return work['phi'][0, :m].copy(), work['phi_q'][0, :m, :n].copy()

    q, qd, step = x[:n], x[n:], 1e-6
    (phi, phi_q), ahead, behind = at(q), at(q + step * qd)[1], at(q - step * qd)[1]
    rates = (ahead - behind) / (2.0 * step)
    return (np.concatenate([phi, phi_q @ qd]),
            np.block([[phi_q, np.zeros_like(phi_q)], [rates, phi_q]]))


def observation(mechanism, sensor, x):
    """Return h and its derivative by q, qd at x, by central differences."""
    n = mechanism.n

    def h(x):
        return true_values(mechanism, sensor, x[None, :n], x[None, n:], np.zeros((1, n)))[0]

    steps = 1e-6 * np.eye(2 * n)
    return h(x), np.array([(h(x + d) - h(x - d)) / 2e-6 for d in steps]).T


def placed(mechanism, z, zd):
    """Return q, qd of the mechanism, closed, at z, zd."""
    q = mechanism.assemble(z)
    return np.concatenate([q, mechanism.velocity(q, zd)])


def motion_along(mechanism, z, zd):
    """Return the derivative of q, qd by z, zd (2n, 2g), by central differences."""
    g, x = mechanism.g, np.concatenate([z, zd])
    return np.array([
        placed(mechanism, *np.split(x + d, [g])) - placed(mechanism, *np.split(x - d, [g]))
        for d in 1e-6 * np.eye(2 * g)]).T / 2e-6


def corrected(x, P, H, misfit, noise):
    """Return state and covariance of a plain Kalman correction, in Joseph's form."""
    gain = P @ H.T @ np.linalg.inv(H @ P @ H.T + noise)
    left = np.eye(len(x)) - gain @ H
    return x + gain @ misfit, left @ P @ left.T + gain @ noise @ gain.T


def by_passes(mechanism, x, P, share):
    """Return x and P after the passes of the SCKF by constraints, and how many there were.

    share: of what constraints are still off by that counts as noise of them.
    """
    misfit, H = constraints(mechanism, x)
    factor = np.sqrt(0.1) * np.linalg.cholesky(H @ P @ H.T)
    passes = 0
    while passes == 0 or np.linalg.norm(misfit) > 1e-3:
        x, P = corrected(x, P, H, -misfit, factor @ factor.T)
        misfit, H = constraints(mechanism, x)
        factor = np.exp(-5.0) * factor + share * np.diag(np.abs(misfit))
        passes += 1
    return x, P, passes


def by_iterations(mechanism, sensor, x, P, reading):
    """Return x and P after the iterations of the DIEKFpm, and how many there were."""
    prior, noise, iterations = x, 1e-3, 0
    while iterations == 0 or np.linalg.norm(constraints(mechanism, x)[0]) > 1e-3:
        h, h_x = observation(mechanism, sensor, x)
        misfit, H = constraints(mechanism, x)
        H = np.vstack([h_x, H])
        y = np.concatenate([reading - h, -misfit]) + H @ (x - prior)
        R = np.diag([sensor.settings.variance] + [noise] * len(misfit))
        x, posterior = corrected(prior, P, H, y, R)
        noise, iterations = noise / np.e, iterations + 1
    return x, posterior, iterations


@NAMES
@pytest.mark.parametrize('published', [True, False], ids=['as published', 'ours'])
@pytest.mark.parametrize('sensor', ['crank_encoder', 'coupler_gyro'])
def test_a_step_is_that_of_the_equations(name, sensor, published):
    """Rodriguez et al. 2023, Eqs. (56)-(67) and figures n to p, in plain matrices.

    As published, the prediction leaves the constraints where Euler's step does.
    """
    mechanism = load_mechanism('four_bar')
    filter_ = make_filter(name, mechanism, [sensor], DT, as_published=published)
    n, z, zd = mechanism.n, mechanism.z0 + 0.2, np.array([-2.0])
    prior = None if published else np.diag([0.01, 0.03])
    filter_.reset(z, zd, prior)
    before = filter_.estimate
    x = np.concatenate([before.q, before.qd])
    tangent = motion_along(mechanism, z, zd)
    free = np.diag(np.tile([1.0] * (n - 1) + [0.0], 2))
    P = filter_.settings.initial_variance * np.eye(2 * n) if published else (
        tangent @ prior @ tangent.T + free)
    filter_.predict(DT)
    F = np.eye(2 * n) + DT * np.eye(2 * n, k=n)
    noise = plant_noise(tangent[n:, 1], filter_.settings.acceleration_psd, published)
    P = F @ P @ F.T + noise
    x = x + DT * np.append(before.qd, before.qdd)
    after = filter_.estimate
    np.testing.assert_allclose(after.z, x[n - 1:n], rtol=1e-12)
    np.testing.assert_allclose(after.covariance, P[n - 1::n, n - 1::n], rtol=1e-7)
    violation = np.linalg.norm(constraints(mechanism, x)[0])
    assert violation > 1e-3
    if not published:
        x = placed(mechanism, x[n - 1:n], x[2 * n - 1:])
    np.testing.assert_allclose(np.append(after.q, after.qd), x, atol=1e-9)

    used = filter_.sensors[0]
    h, h_x = observation(mechanism, used, x)
    reading = h + 0.1
    fit = filter_.correct(reading)
    at_closed, by_closed = observation(mechanism, used, placed(mechanism, after.z, after.zd))
    by_motion = by_closed @ motion_along(mechanism, after.z, after.zd)
    variance = by_motion @ P[n - 1::n, n - 1::n] @ by_motion.T + used.settings.variance
    np.testing.assert_allclose(fit.covariance, variance, rtol=1e-2)
    np.testing.assert_allclose(fit.residual, reading - at_closed, rtol=1e-3)
    assert fit.nis == pytest.approx(fit.residual[0] ** 2 / fit.covariance[0, 0], rel=1e-9)
    if name not in PERFECT:
        x, P = corrected(x, P, h_x, reading - h, np.diag([used.settings.variance]))
        x, P, rounds = by_passes(mechanism, x, P, 0.0 if published else 1.0)
    else:
        x, P, rounds = by_iterations(mechanism, used, x, P, reading)
    assert rounds >= 2
    result = filter_.estimate
    np.testing.assert_allclose(np.append(result.q, result.qd), x, atol=1e-6)
    np.testing.assert_allclose(result.covariance, P[n - 1::n, n - 1::n], rtol=1e-4, atol=1e-9)


def plant_noise(R, psd, published):
    """Return the plant noise of the four-bar linkage, whose last coordinate is independent."""
    blocks = []
    for density in (psd * DT ** 3 / 3.0, psd * DT):
        block = density * np.outer(R, R)
        block[:-1, :-1] = np.eye(len(R) - 1) + (0.0 if published else block[:-1, :-1])
        blocks.append(block)
    zero = np.zeros_like(blocks[0])
    return np.block([[blocks[0], zero], [zero, blocks[1]]])


@NAMES
def test_as_published_nothing_is_closed(name):
    """Without readings Euler's steps leave the constraints, until the filter gives up."""
    mechanism = load_mechanism('four_bar')
    filter_ = make_filter(name, mechanism, ['crank_encoder'], DT, as_published=True)
    errors, gave_up = [], False
    for _ in range(20000):
        try:
            filter_.predict(DT)
        except DivergenceError:
            gave_up = True
            break
        errors.append(mechanism.closing_error(filter_.estimate.q))
    assert 1e-3 < max(errors[:400]) < max(errors)
    assert gave_up
    assert max(errors) < 10.0


@NAMES
def test_as_published_the_variance_bounds_the_plant_noise(name):
    """Sigma_b^2 I - R_d Q R_d^T, of one degree of freedom, has no factor from psd dt R_d^2 on."""
    mechanism = load_mechanism('four_bar')
    R = motion_along(mechanism, mechanism.z0, mechanism.zd0)[mechanism.n:-1, 1]
    bound = 1.0 / (DT * R @ R)
    for psd, published, fails in ((0.99 * bound, True, False), (1.01 * bound, True, True),
                                  (100.0 * bound, False, False)):
        filter_ = make_filter(name, mechanism, ['crank_encoder'], DT, acceleration_psd=psd,
                              as_published=published)
        before = filter_.estimate
        if not fails:
            filter_.predict(DT)
            assert np.isfinite(filter_.estimate.covariance).all()
            continue
        with pytest.raises(DivergenceError, match='by more than dependent_variance'):
            filter_.predict(DT)
        np.testing.assert_array_equal(before.q, filter_.estimate.q)
        np.testing.assert_array_equal(before.covariance, filter_.estimate.covariance)


@NAMES
@pytest.mark.parametrize('mechanism', ['four_bar', 'five_bar', 'slider_crank', 'double_pendulum',
                                       'inverted_slider_crank'])
def test_constraints_are_satisfied_at_every_moment(name, mechanism):
    """From a wrong start, with all sensors now and then; the filter comes to follow the truth."""
    mechanism = load_mechanism(mechanism)
    wrong = apply_model_errors(mechanism, {'gravity': -1.0, 'z0': 0.1})
    run = simulate(mechanism, 4.0, DT)
    filter_ = make_filter(name, wrong, sensors_of(mechanism, list(mechanism.sensors)), DT)
    truth = np.hstack([true_values(mechanism, s, run.q, run.qd, run.qdd) for s in filter_.sensors])
    sigma = np.concatenate([[s.settings.sigma] * len(s.channels) for s in filter_.sensors])
    readings = truth + sigma * np.random.default_rng(5).normal(size=truth.shape)
    errors = []
    for k in range(len(run.t)):
        if k > 0:
            filter_.predict(DT)
            assert np.linalg.norm(constraints(wrong, state(filter_))[0]) <= 1e-3
        if k % 3 == 0 and not 300 < k < 340:
            filter_.correct(readings[k])
            assert np.linalg.norm(constraints(wrong, state(filter_))[0]) <= 1e-3
        errors.append(filter_.estimate.z - run.z[k])
    settled = np.array(errors)[400:]
    assert np.sqrt(np.mean(settled ** 2)) < 0.1 / 3.0


def state(filter_):
    """Return q and qd of a filter."""
    return np.append(filter_.estimate.q, filter_.estimate.qd)


def test_readings_that_would_tear_a_mechanism_are_weighed_against_it():
    """diekf_pm takes both in at once, and so finds a position near such readings."""
    mechanism = load_mechanism('five_bar').replace(points={'B': {'fixed': [5.9, 0.0]}},
                                                   start={'theta1': 0.0, 'theta2': 'pi'})
    filter_ = make_filter('diekf_pm', mechanism, ['crank_encoders'], DT, initial_variance=10.0)
    filter_.correct(np.array([3.1, 0.05]))
    assert mechanism.closing_error(filter_.estimate.q) < 1e-3
