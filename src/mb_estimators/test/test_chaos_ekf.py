"""chaos_ekf against the same filter in plain numpy, which fits polynomials by least squares."""

from itertools import combinations, combinations_with_replacement, product

import numpy as np
from numpy.polynomial.hermite_e import hermegauss
from plain_linkage import FIVE_BAR, FOUR_BAR
import pytest

from mb_estimators import FilterError, make_filter
from mb_estimators.filters.chaos_ekf import chaos_points
from mb_model import load_mechanism

DT, PSD, WALK, START, DEVIATION = 5e-3, 0.02, 0.01, 0.02, 0.15
SENSORS = {'four_bar': ('crank_encoder', 'coupler_gyro'),
           'five_bar': ('left_crank_encoder', 'left_coupler_gyro')}
LINKAGES = {'four_bar': FOUR_BAR, 'five_bar': FIVE_BAR}


def rule(size, degree):
    """Return points and weights that integrate products of two polynomials of a degree."""
    if degree == 2:             # Jia, Xin and Cheng 2013: the fifth-degree cubature rule
        axes = np.sqrt(size + 2.0) * np.eye(size)
        pairs = [np.sqrt(size / 2.0 + 1.0) * (s * a + r * b)
                 for a, b in combinations(np.eye(size), 2) for s, r in product((1, -1), repeat=2)]
        points = np.vstack([np.zeros(size), axes, -axes, *pairs])
        return points, np.concatenate([
            [2.0 / (size + 2)], np.full(2 * size, (4.0 - size) / (2.0 * (size + 2) ** 2)),
            np.full(len(pairs), 1.0 / (size + 2) ** 2)])
    if degree == 1:
        points = np.sqrt(size) * np.vstack([np.eye(size), -np.eye(size)])
        return points, np.full(2 * size, 0.5 / size)
    nodes, weights = hermegauss(degree + 1)
    return (np.array(list(product(nodes, repeat=size))),
            np.prod(list(product(weights / weights.sum(), repeat=size)), axis=1))


def fitted(points, weights, values, degree):
    """Return the values (k, m) of the polynomials that fit best, by monomials of all orders."""
    columns = [np.prod(points[:, list(chosen)], axis=1)
               for total in range(degree + 1)
               for chosen in combinations_with_replacement(range(points.shape[1]), total)]
    V = np.array(columns).T
    return V @ np.linalg.solve(V.T @ (weights[:, None] * V), V.T @ (weights[:, None] * values))


class PlainChaos:
    """States z, zd and gravity as a share; readings of the first crank and the first link."""

    def __init__(self, linkage, z0, degree):
        self.linkage, self.degree, self.g = linkage, degree, len(z0)
        self.x = np.concatenate([z0, np.zeros(self.g + 1)])
        self.P = np.diag([START] * 2 * self.g + [DEVIATION ** 2])
        self.points, self.weights = rule(len(self.x), degree)

    def expand(self, function):
        """Return mean and deviations of states and of a function of them, as polynomials."""
        drawn = self.x + self.points @ np.linalg.cholesky(self.P).T
        values = fitted(self.points, self.weights, np.array([function(x) for x in drawn]),
                        self.degree)
        mean = self.weights @ values
        return mean, drawn - self.x, values - mean

    def cov(self, a, b):
        return a.T @ (self.weights[:, None] * b)

    def motion(self, x):
        linkage = type(self.linkage)(**vars(self.linkage) | {'gravity': 9.81 * (1.0 - x[-1])})
        return linkage, x[:self.g], x[self.g:2 * self.g]

    def step(self, x):
        linkage, z, zd = self.motion(x)
        none = np.zeros(self.g)
        return np.concatenate([*linkage.step(z, zd, linkage.dynamics(z, zd, none)[0], none,
                                             DT)[:2], x[-1:]])

    def read(self, x):
        linkage, z, zd = self.motion(x)
        return np.array([z[0], linkage.link_rates(z, zd)[0]])

    def predict(self):
        self.x, _, values = self.expand(self.step)
        g, self.P = self.g, self.cov(values, values)
        self.P[:2 * g, :2 * g] += PSD * np.kron(
            [[DT ** 3 / 3.0, DT ** 2 / 2.0], [DT ** 2 / 2.0, DT]], np.eye(g))
        self.P[-1, -1] += WALK ** 2 * DT

    def correct(self, reading, R):
        mean, states, values = self.expand(self.read)
        S = self.cov(values, values) + R
        K = self.cov(states, values) @ np.linalg.inv(S)
        self.x, self.P = self.x + K @ (reading - mean), self.P - K @ S @ K.T
        return reading - mean, S


@pytest.mark.parametrize(('name', 'degree'), [
    ('four_bar', 1), ('four_bar', 2), ('four_bar', 3), ('five_bar', 2)])
def test_it_is_the_filter_of_plain_polynomials(name, degree):
    """Of a wide start, so that a degree matters."""
    mechanism = load_mechanism(name)
    filter_ = make_filter(name='chaos_ekf', mechanism=mechanism, sensors=SENSORS[name], dt=DT,
                          polynomial_degree=degree, acceleration_psd=PSD, initial_variance=START,
                          parameter_deviations=[DEVIATION], parameter_walks=[WALK], gate=0.0)
    plain = PlainChaos(LINKAGES[name], mechanism.z0, degree)
    R = np.diag([sensor.settings.variance for sensor in filter_.sensors])
    random = np.random.default_rng(degree)
    for k in range(12):
        plain.predict()
        filter_.predict(DT)
        if k % 3 == 0:
            reading = plain.read(plain.x) + [0.05, 0.1] * random.normal(size=2)
            residual, S = plain.correct(reading, R)
            fit = filter_.correct(reading)
            np.testing.assert_allclose(fit.residual, residual, atol=1e-7)
            np.testing.assert_allclose(fit.covariance, S, rtol=1e-6, atol=1e-10)
        estimate, g = filter_.estimate, plain.g
        np.testing.assert_allclose(np.r_[estimate.z, estimate.zd], plain.x[:2 * g], atol=1e-7)
        assert estimate.parameters['gravity.y'] == pytest.approx(
            -9.81 * (1.0 - plain.x[-1]), abs=1e-6)
        np.testing.assert_allclose(filter_.state_covariance, plain.P, rtol=1e-5, atol=1e-9)


def test_the_degree_matters():
    """What a wide start makes of the mean of a reading, against 40,000 drawn motions."""
    mechanism, means = load_mechanism('four_bar'), {}
    for degree in (1, 2, 3):
        filter_ = make_filter('chaos_ekf', mechanism, ['coupler_gyro'], DT, gate=0.0,
                              polynomial_degree=degree, initial_variance=0.09,
                              parameter_deviations=[DEVIATION])
        fit = filter_.correct([0.0])
        means[degree] = -fit.residual[0], fit.covariance[0, 0]
    random, sigma2 = np.random.default_rng(1), filter_.sensors[0].settings.variance
    rates = np.array([FOUR_BAR.link_rates(mechanism.z0 + z, zd)[0]
                      for z, zd in 0.3 * random.normal(size=(40000, 2, 1))])
    error = {degree: abs(variance - sigma2 - rates.var()) / rates.var()
             for degree, (_, variance) in means.items()}
    assert error[1] > 2.0 * error[3]
    assert error[3] < 0.03
    assert means[3][0] == pytest.approx(rates.mean(), abs=4.0 * rates.std() / 200.0)


@pytest.mark.parametrize(('size', 'degree'), [(3, 1), (9, 2), (3, 3), (4, 4)])
def test_projection_finds_polynomials(size, degree):
    """The mean of the square of a polynomial, by its coefficients and by Gauss's rule."""
    random = np.random.default_rng(size)
    points, projection = chaos_points(size, degree)
    np.testing.assert_array_equal(points[0], 0.0)
    turned = random.normal(size=(size, 3)) / size
    coefficients = projection @ ((points @ turned) ** degree).sum(axis=1)
    fine, weights = hermegauss(2 * degree + 2)       # of the three sums, which are normal numbers
    roots = np.linalg.cholesky(turned.T @ turned)
    grid = np.array(list(product(fine, repeat=3))) @ roots.T
    weight = np.prod(list(product(weights / weights.sum(), repeat=3)), axis=1)
    values = (grid ** degree).sum(axis=1)
    assert coefficients[0] == pytest.approx(weight @ values, rel=1e-9, abs=1e-12)
    assert coefficients @ coefficients == pytest.approx(weight @ values ** 2, rel=1e-9)


def test_too_many_points_are_refused():
    with pytest.raises(FilterError, match=r'polynomial_degree: 3 needs 67108864 points for 13 '):
        make_filter('chaos_ekf', 'stewart', ['encoders'], DT, polynomial_degree=3)
