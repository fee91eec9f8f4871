"""How little is added to a matrix until it has a Cholesky factor."""

import numpy as np
import pytest

from mb_estimators.kernels.regularisation import SHARES, factor_regularised
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
