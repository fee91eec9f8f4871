"""The covariance of z, zd, zdd: of exact arithmetic, and one that can be factorised."""

from fractions import Fraction

from hypothesis import given, settings, strategies as st
import numpy as np

from mb_estimators.filter.total_covariance import total_covariance


def exactly(matrix):
    """Return a matrix of Fractions."""
    return np.vectorize(Fraction, otypes=[object])(matrix)


@settings(deadline=None, max_examples=200)
@given(st.integers(0, 2 ** 32), st.integers(1, 3), st.floats(-3.0, 7.0))
def test_it_is_the_exact_one_to_rounding_and_positive_definite(seed, g, strength):
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
