"""Likelihood and derivatives of a frozen system against the density of all readings at once."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from mb_estimators.fitting.by_readings.frozen import Begun, FrozenSystem, likelihood
from mb_estimators.fitting.by_readings.path import Path
from mb_estimators.kernels.unit_noise import note_step

INSTANTS, STATES, CHANNELS, DENSITIES = 12, 4, 3, 2
OWNER = np.array([0, 0, 1])
LOGARITHMS = np.log([0.3, 0.1, 0.5, 0.2])
SHARED = np.array([False, False, False, True])      # a number that both recordings have
SINGLE = np.eye(4)                                  # every noise is free
TIED = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 0.5], [0.0, 0.0]])


def part(seed):
    """Return a random Begun; the last state is a constant."""
    random = np.random.default_rng(seed)
    A = np.eye(STATES) + 0.2 * random.normal(size=(INSTANTS, STATES, STATES))
    A[0], A[:, 3] = np.eye(STATES), np.eye(STATES)[3]
    b = 0.1 * random.normal(size=(INSTANTS, STATES))
    b[0] = 0.0
    roots = random.normal(size=(INSTANTS, DENSITIES, STATES, STATES))
    roots[:, :, 3] = roots[0] = 0.0
    y = random.normal(size=(INSTANTS, CHANNELS))
    y[random.random(y.shape) < 0.3] = np.nan
    path = Path(A, b, roots @ np.swapaxes(roots, 2, 3), y,
                random.normal(size=(INSTANTS, CHANNELS, STATES)),
                0.1 * random.random((INSTANTS, CHANNELS, DENSITIES)), b.sum(axis=0))
    return Begun(path, random.normal(size=STATES), 2.0 * np.eye(STATES))


def joint(parts, logarithms):
    """Return mean and covariance of all readings, and which there are, by sums over all noises.

    Columns: of the constants and starts (1 + 3 for each part), of impulses and of readings.
    """
    values = np.exp(logarithms)
    means, rows, noises, count = [], [], [], 1 + 3 * len(parts)
    width = count + len(parts) * INSTANTS * STATES
    for k, one in enumerate(parts):
        effect = np.zeros((STATES, width))
        effect[3, 0] = 1.0
        effect[:3, 1 + 3 * k:4 + 3 * k] = np.eye(3)
        mean = one.mean.copy()
        mean[3] = parts[0].mean[3]
        for i in range(INSTANTS):
            p = one.path
            mean, effect = p.transitions[i] @ mean - p.shifts[i], p.transitions[i] @ effect
            column = count + STATES * (INSTANTS * k + i)
            Q = np.tensordot(values[:DENSITIES], p.units[i], 1)
            w, V = np.linalg.eigh(Q)
            effect[:, column:column + STATES] += V * np.sqrt(np.maximum(w, 0.0))
            means.append(p.H[i] @ mean)
            rows.append(p.H[i] @ effect)
            noises.append(values[DENSITIES:][OWNER] + p.felt[i] @ values[:DENSITIES])
    variances = np.r_[np.full(count, 2.0), np.ones(width - count)]
    rows = np.vstack(rows)
    return np.concatenate(means), rows * variances @ rows.T + np.diag(np.concatenate(noises))


def log_density(parts, logarithms):
    mean, covariance = joint(parts, logarithms)
    y = np.concatenate([one.path.y.ravel() for one in parts])
    there = np.isfinite(y)
    return multivariate_normal(mean[there], covariance[np.ix_(there, there)]).logpdf(y[there])


def found(parts, logarithms=LOGARITHMS, ties=SINGLE):
    return likelihood(FrozenSystem(tuple(parts), OWNER, SHARED), np.exp(logarithms), ties,
                      [np.ones(INSTANTS, np.int64)] * len(parts))


@pytest.mark.parametrize('seeds', [(1,), (1, 2)])
def test_it_is_the_density_of_all_readings(seeds):
    parts = [part(seed) for seed in seeds]
    assert found(parts).value == pytest.approx(log_density(parts, LOGARITHMS), rel=1e-10)


@pytest.mark.parametrize('ties', [SINGLE, TIED, SINGLE[:, :0]])
@pytest.mark.parametrize('seeds', [(1,), (1, 2)])
def test_the_gradient_is_its_derivative(seeds, ties):
    parts = [part(seed) for seed in seeds]
    expected = [(log_density(parts, LOGARITHMS + d) - log_density(parts, LOGARITHMS - d)) / 2e-5
                for d in 1e-5 * ties.T]
    np.testing.assert_allclose(found(parts, ties=ties).gradient, expected, rtol=1e-6, atol=1e-7)


def test_rates_are_derivatives_of_the_variances():
    one = part(1)
    above, below = (np.array([np.log(found([one], LOGARITHMS + side * d).innovations[0][1])
                              for d in 1e-5 * SINGLE]) for side in (1.0, -1.0))
    there, found_rates = np.isfinite(one.path.y), found([one]).rates[0]
    np.testing.assert_allclose(np.moveaxis(found_rates, 2, 0)[:, there],
                               ((above - below) / 2e-5)[:, there], rtol=1e-6, atol=1e-8)


def test_noise_of_two_steps_is_of_one_as_long():
    """Of two coordinates without forces between them and a bias that walks."""
    def noted(*steps):
        moved, units = np.eye(5), np.zeros((3, 5, 5))
        for h in steps:
            F = np.eye(5)
            F[0, 2] = F[1, 3] = h
            note_step(F, h, 2, moved, units, np.empty((5, 6), np.int64), np.empty((5, 5)))
        return moved, units
    for two, one in zip(noted(0.2, 0.3), noted(0.5), strict=True):
        np.testing.assert_allclose(two, one, rtol=1e-14)
    assert one[1, 1, 1] == pytest.approx(0.5 ** 3 / 3.0)        # Rodriguez et al. 2023, Eq. (107)
    assert one[2, 4, 4] == 0.5


def test_the_information_is_the_variance_of_the_gradient():
    """Over readings that are drawn from the density."""
    one, random = part(1), np.random.default_rng(3)
    mean, covariance = joint([one], LOGARITHMS)
    root, gradients, information = np.linalg.cholesky(covariance), [], []
    for _ in range(4000):
        y = (mean + root @ random.normal(size=len(mean))).reshape(INSTANTS, CHANNELS)
        drawn = found([replace(one, path=replace(one.path, y=y))])
        gradients.append(drawn.gradient)
        information.append(drawn.information)
    expected = np.mean(information, axis=0)
    scale = np.sqrt(np.outer(np.diagonal(expected), np.diagonal(expected)))
    np.testing.assert_allclose(np.cov(np.array(gradients).T) / scale, expected / scale, atol=0.08)


def test_the_start_is_the_conditional_mean():
    """By the covariance of the start and all readings."""
    one = part(1)
    mean, covariance = joint([one], LOGARITHMS)
    there = np.isfinite(one.path.y.ravel())
    effects = np.zeros((INSTANTS, STATES, STATES))
    moved = np.eye(STATES)
    for i in range(INSTANTS):
        moved = one.path.transitions[i] @ moved
        effects[i] = moved
    crossed = 2.0 * np.vstack([one.path.H[i] @ effects[i] for i in range(INSTANTS)])[there]
    gain = np.linalg.solve(covariance[np.ix_(there, there)], crossed).T
    after = found([one])
    np.testing.assert_allclose(
        after.start, one.mean + gain @ (one.path.y.ravel()[there] - mean[there]), rtol=1e-8)
    np.testing.assert_allclose(after.start_covariance, 2.0 * np.eye(STATES) - gain @ crossed,
                               atol=1e-10)
