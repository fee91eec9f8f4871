"""Sigma points, their factors, and the filters that use them against one another."""

from itertools import combinations_with_replacement

from free_motion import FLYWHEEL, TextbookFilter
from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from scipy.linalg import solve_discrete_lyapunov

from mb_estimators import make_filter
from mb_estimators.filters.sigma_points import (
    CubatureSettings,
    SymmetricSettings,
    cubature_points,
    simplex,
    symmetric_points,
)
from mb_estimators.kernels.array_correction import lower_triangularise
from mb_model import apply_model_errors, load_mechanism, make_stepper, simulate

DT = 0.005


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 12), st.integers(0, 9), st.integers(0, 2 ** 32))
def test_a_triangular_factor_keeps_the_products(rows, more, seed):
    random = np.random.default_rng(seed)
    a = random.normal(size=(rows + 2, rows + more + 1)) * 10.0 ** random.uniform(-4.0, 4.0)
    a[random.random(a.shape) < 0.3] = 0.0
    whole = a[:rows, :rows + more].copy()
    lower_triangularise(a, rows, rows + more)
    lower = a[:rows, :rows]
    assert (np.diagonal(lower) >= 0.0).all()
    np.testing.assert_array_equal(np.triu(a[:rows, :rows + more], 1), 0.0)
    np.testing.assert_allclose(
        lower @ lower.T, whole @ whole.T, rtol=1e-12, atol=1e-14 * np.abs(whole).max() ** 2)


@pytest.mark.parametrize('size', [1, 2, 4, 7])
@pytest.mark.parametrize('values', [{}, {'alpha': 0.3, 'kappa': 1.0}])
def test_points_have_the_moments_of_a_unit_gaussian(size, values):
    points, mean_weight, covariance_weight = symmetric_points(size, SymmetricSettings(**values))
    ones = np.full(size + 2, 1.0 / (size + 1))
    ones[0] = 0.0
    for p, m, c in ((points, mean_weight, covariance_weight),
                    (simplex(size) * np.sqrt(size + 1), ones, ones)):
        assert m.sum() == pytest.approx(1.0)
        np.testing.assert_allclose(m @ p, 0.0, atol=1e-12)
        np.testing.assert_allclose((p.T * c) @ p, np.eye(size), atol=1e-12)


@pytest.mark.parametrize('size', [1, 2, 3, 4, 7])
@pytest.mark.parametrize(('degree', 'number'), [('third', 3), ('fifth', 5)])
def test_cubature_points_integrate_polynomials_up_to_their_degree(size, degree, number):
    """All monomials of a unit Gaussian: products of (e - 1)!! of even exponents e, 0 of odd ones.

    One of the next even degree is wrong, so that the degree is not higher than it says.
    """
    points, weights, again = cubature_points(size, CubatureSettings(degree=degree))
    assert len(points) == (2 * size + 1 if degree == 'third' else 2 * size ** 2 + 1)
    np.testing.assert_array_equal(weights, again)
    np.testing.assert_array_equal(points[0], 0.0)
    moments = {0: 1.0, 2: 1.0, 4: 3.0, 6: 15.0}

    def errors(power):
        for factors in combinations_with_replacement(range(size), power):
            exponents = np.bincount(np.array(factors, int), minlength=size)
            true = np.prod([moments.get(e, 0.0) for e in exponents])
            yield abs(weights @ np.prod(points ** exponents, axis=1) - true)

    for power in range(number + 1):
        assert max(errors(power)) < 1e-11
    assert max(errors(number + 1)) > 0.5


@pytest.mark.parametrize('mechanism', ['four_bar', 'five_bar'])
def test_the_third_degree_is_the_unscented_filter_of_equal_weights(mechanism):
    mechanism = load_mechanism(mechanism)
    sensors = list(mechanism.sensors)
    pair = [make_filter('ckf', mechanism, sensors, DT),
            make_filter('ukf', mechanism, sensors, DT, alpha=1.0, beta=0.0, kappa=0.0)]
    random = np.random.default_rng(5)
    for _ in range(50):
        readings = 0.1 * random.normal(size=sum(len(s.channels) for s in pair[0].sensors))
        readings[:mechanism.g] += mechanism.z0
        for filter_ in pair:
            filter_.predict(DT)
            filter_.correct(readings)
    a, b = (filter_.estimate for filter_ in pair)
    np.testing.assert_allclose(a.z, b.z, atol=1e-12)
    np.testing.assert_allclose(a.covariance, b.covariance, rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize('mechanism', ['four_bar', 'five_bar'])
def test_the_square_root_form_is_the_same_filter(mechanism):
    mechanism = load_mechanism(mechanism)
    sensors = list(mechanism.sensors)
    plain, root = (make_filter(name, mechanism, sensors, DT) for name in ('ukf', 'srukf'))
    count = sum(len(sensor.channels) for sensor in plain.sensors)
    random = np.random.default_rng(5)
    for _ in range(100):
        readings = 0.1 * random.normal(size=count)
        readings[:mechanism.g] += mechanism.z0
        readings[random.random(count) < 0.4] = np.nan
        for filter_ in (plain, root):
            filter_.predict(DT)
            filter_.correct(readings)
        a, b = plain.estimate, root.estimate
        np.testing.assert_allclose(a.z, b.z, atol=1e-9)
        np.testing.assert_allclose(a.zd, b.zd, atol=1e-7)
        np.testing.assert_allclose(a.covariance, b.covariance, rtol=1e-6, atol=1e-10)


def test_the_prediction_has_the_moments_of_a_sampled_one():
    """Mean and covariance after a long step, against 4000 models set free."""
    mechanism = load_mechanism('four_bar')
    P = np.array([[0.01, 0.004], [0.004, 0.04]])
    filter_ = make_filter('ukf', mechanism, ['crank_encoder'], 0.1, acceleration_psd=1e-12)
    filter_.reset(mechanism.z0, np.array([3.0]), P)
    filter_.predict(0.1)
    draws = np.random.default_rng(2).multivariate_normal(
        [mechanism.z0[0], 3.0], P, size=4000)
    stepped = []
    stepper = make_stepper(mechanism, 'matrix_r')
    for z, zd in draws:
        stepper.reset(np.array([z]), np.array([zd]))
        stepper.step(0.1)
        stepped.append([stepper.z[0], stepper.zd[0]])
    stepped = np.array(stepped)
    estimate = filter_.estimate
    spread = np.sqrt(np.diagonal(estimate.covariance))
    error = np.abs(np.array([estimate.z[0], estimate.zd[0]]) - stepped.mean(axis=0))
    assert (error < 4.0 * spread / np.sqrt(4000)).all()
    np.testing.assert_allclose(estimate.covariance, np.cov(stepped.T), rtol=0.1, atol=2e-4)


def test_a_square_root_needs_weights_that_have_one():
    with pytest.raises(ValueError, match=r'alpha: too small'):
        make_filter('srukf', 'four_bar', ['crank_encoder'], DT, alpha=1e-3)


def test_uncertainty_beyond_what_the_mechanism_can_do_is_survived():
    """Points that are out of reach come nearer; the readings then say where it is."""
    mechanism = load_mechanism('five_bar').replace(
        points={'B': {'fixed': [5.5, 0.0]}}, gravity=[0.0, 0.0])
    for name in ('ukf', 'ssukf', 'srukf'):
        filter_ = make_filter(name, mechanism, ['crank_encoders'], DT, initial_variance=4.0)
        for _ in range(200):
            filter_.predict(DT)
            filter_.correct(mechanism.z0)
        np.testing.assert_allclose(filter_.estimate.z, mechanism.z0, atol=0.05)


@pytest.mark.parametrize('name', ['ukf', 'ssukf', 'srukf'])
@pytest.mark.parametrize('integrator', ['rk2', 'rk4'])
def test_explicit_integrators_step_as_their_models(name, integrator):
    """With hardly any spread, the mean is the model alone; its points agree with the implicit."""
    mechanism = load_mechanism('five_bar')
    z, zd = mechanism.z0 + 0.2, np.array([1.5, -0.7])
    stepper = make_stepper(mechanism, 'matrix_r', integrator)
    stepper.reset(z, zd)
    explicit, implicit = (make_filter(name, mechanism, 'crank_encoders', DT,
                                      integrator=integrator, acceleration_psd=1e-12)
                          for integrator in (integrator, 'trapezoidal'))
    explicit.reset(z, zd, 1e-16 * np.eye(4))
    for _ in range(40):
        stepper.step(DT)
        explicit.predict(DT)
    np.testing.assert_allclose(explicit.estimate.z, stepper.z, atol=1e-5)
    for filter_ in (explicit, implicit):
        filter_.reset(z, zd)
        filter_.predict(DT)
    a, b = explicit.estimate, implicit.estimate
    np.testing.assert_allclose(a.z, b.z, atol=1e-6)
    np.testing.assert_allclose(a.zd, b.zd, atol=1e-4)
    np.testing.assert_allclose(a.covariance, b.covariance, rtol=1e-3, atol=1e-6)


class WithoutNewNoise(TextbookFilter):
    """The Kalman filter whose gain leaves out the plant noise of the step."""

    def predict(self, h):
        noise, self.noise = self.noise, 0.0
        before = self.x, self.P
        super().predict(h)
        self.carried = self.P
        (self.x, self.P), self.noise = before, noise
        super().predict(h)

    def gain(self, H, R):
        return self.carried @ H.T @ np.linalg.inv(H @ self.carried @ H.T + R)


@pytest.mark.parametrize('name', ['ukf', 'ssukf'])
def test_reused_points_know_nothing_of_the_noise_of_the_step(name):
    """P loses as much as the gain, the best one without that noise, says: K P_yy K^T."""
    start, noise, R = np.array([0.3, 2.0]), 40.0, np.diag([0.02 ** 2, 0.05 ** 2])
    filter_ = make_filter(name, FLYWHEEL, ['encoder', 'gyro'], DT, acceleration_psd=noise,
                          initial_variance=0.01, reuse_points=True)
    textbook = WithoutNewNoise(start, 0.01 * np.eye(2), noise, np.eye(2), R)
    random = np.random.default_rng(3)
    for _ in range(50):
        filter_.predict(DT)
        textbook.predict(DT)
        reading = textbook.x + 0.02 * random.normal(size=2)
        filter_.correct(reading)
        S = textbook.carried + R
        K = textbook.gain(np.eye(2), R)
        P = textbook.P - K @ S @ K.T
        textbook.correct(reading)
        textbook.P = P
        np.testing.assert_allclose(
            [*filter_.estimate.z, *filter_.estimate.zd], textbook.x, atol=1e-10)
        np.testing.assert_allclose(filter_.estimate.covariance, P, atol=1e-12)
    again = filter_.estimate.z
    filter_.correct(reading)                        # the points are used up: drawn anew
    assert filter_.estimate.z != again


@pytest.mark.parametrize('name', ['ukf_acceleration', 'ssukf_acceleration'])
@pytest.mark.parametrize('integrator', ['trapezoidal', 'rk2'])
def test_filters_of_accelerations_follow_an_encoder_to_its_noise(name, integrator):
    """Their corrections reach positions through accelerations alone: they do not average."""
    mechanism = load_mechanism('five_bar')
    run = simulate(mechanism, 3.0, DT)
    wrong = apply_model_errors(mechanism, {'gravity': -1.0, 'z0': 0.1})
    filter_ = make_filter(name, wrong, 'crank_encoders', DT, integrator=integrator)
    sigma = filter_.sensors[0].settings.sigma
    random = np.random.default_rng(3)
    errors = []
    for k in range(1, len(run.t)):
        filter_.predict(DT)
        filter_.correct(run.z[k] + sigma * random.normal(size=2))
        errors.append(filter_.estimate.z - run.z[k])
    assert np.sqrt(np.mean(np.square(errors[200:]))) < 1.2 * sigma


@pytest.mark.parametrize('variance', [1e4, 1e5, 1e7, 1e9])
def test_no_gain_of_a_filter_of_accelerations_averages_an_encoder(variance):
    """On a free wheel the corrected position has exactly the noise of the encoder.

    By Lyapunov's equation of the error with the gain that the filter has.
    """
    filter_ = make_filter('ukf_acceleration', FLYWHEEL, ['encoder'], DT,
                          acceleration_variance=variance)
    filter_.predict(DT)
    before = filter_.estimate
    residual = filter_.correct(before.z + 1e-3).residual
    after = filter_.estimate
    gain = np.array([after.z - before.z, after.zd - before.zd]) / residual
    np.testing.assert_allclose(gain[0], 0.5 * DT * gain[1], rtol=1e-9)
    left = np.eye(2) - gain @ np.array([[1.0, 0.0]])
    P = solve_discrete_lyapunov(left @ np.array([[1.0, DT], [0.0, 1.0]]), gain @ gain.T)
    assert 1e-4 < gain[0] < 1.0
    np.testing.assert_allclose(P[0, 0], 1.0, rtol=1e-6)
