"""Whole graphs: least squares of nonlinear chains against scipy's."""

from itertools import pairwise

import gtsam
import numpy as np
import pytest
from scipy.optimize import least_squares

from mb_estimators.factor_graph.batch import Covariances, solve
from mb_estimators.factor_graph.factor import factor
from mb_estimators.filter import DivergenceError

COUNT, STEP, READING, START = 8, 0.05, 0.3, 0.5          # nodes; deviations
READINGS = 1.5 + np.random.default_rng(2).normal(scale=READING, size=COUNT)


def swing(a, b, e, J_a, J_b):
    """A pendulum's step, angle and rate: b has to be where a goes."""
    h = 0.2
    e[:] = b - a - h * np.array([a[1], -np.sin(a[0])])
    J_a[:] = [[-1.0, -h], [h * np.cos(a[0]), -1.0]]
    J_b[:] = np.eye(2)
    return True


def read(reading):
    """The square of an angle is read."""
    def error(a, e, J_a):
        e[0] = a[0] ** 2 - reading
        J_a[0] = [2.0 * a[0], 0.0]
        return True
    return error


def chain(first=0):
    """Return the graph of steps and readings, the first of them, and a far first guess."""
    graph, values = gtsam.NonlinearFactorGraph(), gtsam.Values()
    noise, known = (gtsam.noiseModel.Isotropic.Sigma(size, sigma)
                    for size, sigma in ((2, STEP), (1, READING)))
    for k in range(COUNT):
        values.insert(k, np.array([2.0, 0.5]))
        if k > 0:
            graph.add(factor(noise, (k - 1, k), swing, (2, 2)))
        if k >= first:
            graph.add(factor(known, (k,), read(READINGS[k]), (2,)))
    return graph, values


def residuals(x):
    nodes, e, J = x.reshape(COUNT, 2), np.zeros(2), np.zeros((2, 2))
    parts = [(nodes[:, 0] ** 2 - READINGS) / READING, nodes[0] / START]
    for a, b in pairwise(nodes):
        swing(a, b, e, J, J.copy())
        parts.append(e / STEP)
    return np.concatenate(parts)


def test_it_is_least_squares():
    graph, values = chain()
    graph.add(gtsam.PriorFactorVector(0, np.zeros(2), gtsam.noiseModel.Isotropic.Sigma(2, START)))
    expected = least_squares(residuals, np.tile([2.0, 0.5], COUNT), xtol=1e-14, ftol=1e-14)
    covariance = np.linalg.inv(expected.jac.T @ expected.jac)
    solved = solve(graph, values, tolerance=1e-14)
    covariances = Covariances(graph, solved)
    for k in range(COUNT):
        part = slice(2 * k, 2 * k + 2)
        np.testing.assert_allclose(solved.atVector(k), expected.x[part], atol=1e-6)
        np.testing.assert_allclose(covariances.of(k), covariance[part, part], rtol=1e-4, atol=1e-9)


def test_what_nothing_is_known_of_has_no_covariance():
    graph, values = chain(first=COUNT)
    with pytest.raises(DivergenceError, match='no solution'):
        Covariances(graph, solve(graph, values))
