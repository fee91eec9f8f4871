"""Whole graphs: least squares of nonlinear chains against scipy's."""

from itertools import pairwise

import gtsam
import numpy as np
import pytest
from scipy.optimize import least_squares

from mb_estimators.factor_graph.batch import MostLikely, solve
from mb_estimators.factor_graph.covariances import Covariances
from mb_estimators.factor_graph.factor import factor
from mb_estimators.filter import DivergenceError, NotConvergedError

COUNT, STEP, READING, START = 8, 0.05, 0.3, 0.5          # nodes; deviations
NAMES = {k: f'node {k}' for k in range(COUNT)}
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


def at(x):
    values = gtsam.Values()
    for k, node in enumerate(x.reshape(COUNT, 2)):
        values.insert(k, node)
    return values


def test_it_is_least_squares():
    graph, values = chain()
    graph.add(gtsam.PriorFactorVector(0, np.zeros(2), gtsam.noiseModel.Isotropic.Sigma(2, START)))
    expected = least_squares(residuals, np.tile([2.0, 0.5], COUNT), xtol=1e-14, ftol=1e-14)
    covariance = np.linalg.inv(expected.jac.T @ expected.jac)
    solved = solve(MostLikely(graph, NAMES), values).values
    covariances = Covariances(graph, at(expected.x))
    for k in range(COUNT):
        part = slice(2 * k, 2 * k + 2)
        off = np.abs(solved.atVector(k) - expected.x[part])
        assert (off < 1e-3 * np.sqrt(np.diagonal(covariance)[part])).all()
        np.testing.assert_allclose(covariances.of(k), covariance[part, part], rtol=1e-4, atol=1e-9)


def test_what_nothing_is_known_of_has_no_covariance():
    graph, values = chain(first=COUNT)
    with pytest.raises(DivergenceError, match='no solution'):
        Covariances(graph, values)
    with pytest.raises(DivergenceError, match='no solution'):
        solve(MostLikely(graph, NAMES), values)


def test_too_few_iterations_are_reported():
    """With how far from the solution it is, and where."""
    graph, values = chain()
    graph.add(gtsam.PriorFactorVector(0, np.zeros(2), gtsam.noiseModel.Isotropic.Sigma(2, START)))
    with pytest.raises(NotConvergedError,
                       match=r'after 1 iterations: .* by [\d.]+ standard deviations, .* at node'):
        solve(MostLikely(graph, NAMES), values, iterations=1)


def rosenbrock(a, e, J_a):
    """Least at (1, 1), along a narrow valley in which full steps lead astray."""
    e[:] = [10.0 * (a[1] - a[0] ** 2), 1.0 - a[0]]
    J_a[:] = [[-20.0 * a[0], 10.0], [-1.0, 0.0]]
    return True


def cliff(a, e, J_a):
    """An error that full steps from 3 make larger and larger; least at 0."""
    e[0], J_a[0, 0] = np.arctan(a[0]), 1.0 / (1.0 + a[0] ** 2)
    return True


@pytest.mark.parametrize(('error', 'start', 'rows', 'solution'), [
    (rosenbrock, [-1.2, 1.0], 2, [1.0, 1.0]), (cliff, [3.0], 1, [0.0])])
def test_steps_are_controlled(error, start, rows, solution):
    graph, values = gtsam.NonlinearFactorGraph(), gtsam.Values()
    values.insert(0, np.array(start))
    graph.add(factor(gtsam.noiseModel.Unit.Create(rows), (0,), error, (len(start),)))
    solved = solve(MostLikely(graph, {0: 'here'}), values).values
    np.testing.assert_allclose(solved.atVector(0), solution, atol=1e-3)
