"""Covariances that need a little more on their diagonal to be positive definite."""

from fractions import Fraction

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest

from mb_estimators.filter.total_covariance import total_covariance
from mb_estimators.kernels.covariance import SHARES, factor_regularised
from mb_model.jit import entry


@entry
def factor(matrix, variances, margin, out):
    return factor_regularised(matrix, variances, len(matrix), margin, out)


def test_a_covariance_needs_nothing():
    half, variances, out = np.random.default_rng(1).normal(size=(4, 4)), np.full(4, 7.0), np.full(
        (4, 4), np.nan)
    P = half @ half.T
    assert factor(P, variances, 0.0, out) == 0.0
    np.testing.assert_allclose(np.tril(out), np.linalg.cholesky(P), rtol=1e-12)


@pytest.mark.parametrize(('lowest', 'share'), [(-1e-14, 1e-13), (-3e-12, 1e-11), (-1e-6, -1.0)])
def test_the_least_share_that_helps_is_added(lowest, share):
    turn, _ = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))
    P, variances, out = turn @ np.diag([1.0, 0.5, lowest]) @ turn.T, np.ones(3), np.zeros((3, 3))
    found = factor(P, variances, 0.0, out)
    assert found == pytest.approx(share, rel=1e-6)
    if found > 0.0:
        np.testing.assert_allclose(np.tril(out) @ np.tril(out).T, P + found * np.eye(3),
                                   atol=1e-15)
        before = SHARES[SHARES.index(found) - 1]
        assert np.linalg.eigvalsh(P + before * np.eye(3))[0] < 1e-15


def test_a_margin_is_for_others_who_round():
    P, out = np.array([[1.0, 1.0], [1.0, 1.0 + 1e-15]]), np.zeros((2, 2))
    assert factor(P, np.ones(2), 0.0, out) == 0.0
    assert factor(P, np.ones(2), 4e-15, out) > 0.0


def exactly(matrix):
    """Return a matrix of Fractions."""
    return np.vectorize(Fraction, otypes=[object])(matrix)


@settings(deadline=None, max_examples=200)
@given(st.integers(0, 2 ** 32), st.integers(1, 3), st.floats(-3.0, 7.0))
def test_a_total_covariance_is_the_exact_one_to_rounding_and_positive_definite(seed, g, strength):
    """Models that answer with accelerations of 10^strength, of which hardly any error is left."""
    random = np.random.default_rng(seed)
    factor = np.diag(10.0 ** random.uniform(-5.0, 1.0, 3 * g)) @ random.normal(size=(3 * g, 3 * g))
    P = factor @ factor.T + np.diag(1e-13 * np.sum(factor ** 2, axis=1))
    A, B = 10.0 ** strength * random.normal(size=(2, g, g))
    covariance = total_covariance(P, A, B)
    total = np.eye(3 * g)
    total[2 * g:, :2 * g] = np.hstack([A, B])
    expected = exactly(total) @ exactly(P) @ exactly(total).T
    scale = np.abs(total) @ np.sqrt(P.diagonal())
    error = (exactly(covariance) - expected).astype(float) / np.outer(scale, scale)
    assert np.abs(error).max() < 1e-13
    np.testing.assert_array_equal(covariance, covariance.T)
    np.linalg.cholesky(covariance)
