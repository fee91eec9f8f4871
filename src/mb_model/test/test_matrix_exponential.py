"""The matrix exponential against scipy's, and against closed forms where that is less exact."""

import numpy as np
import pytest
from scipy.linalg import expm

from mb_model.kernels.matrix_exponential import exponential


def ours(matrix):
    """Return exp(matrix), None if the kernel refuses; its scratch is poisoned."""
    n = len(matrix)
    a, out, product = np.full((3, 40, 40), np.nan)
    a[:n, :n] = matrix
    return out[:n, :n] if exponential(a, n, out, product, np.full(40, np.nan)) else None


@pytest.mark.parametrize('norm', [1e-8, 1e-3, 1.0, 1e2, 1e4, 1e6])
@pytest.mark.parametrize('n', [1, 2, 5, 16, 24])
def test_of_any_stable_matrix(n, norm):
    """Its own rounding, and scipy's, grow with the norm: so many times is a step doubled."""
    random = np.random.default_rng(n)
    for _ in range(5):
        matrix = random.normal(size=(n, n))
        matrix -= np.linalg.eigvals(matrix).real.max() * np.eye(n)
        matrix *= norm / max(np.linalg.norm(matrix, 2), 1e-300)
        expected = expm(matrix)
        np.testing.assert_allclose(ours(matrix), expected, rtol=0.0,
                                   atol=1e-14 * (2.0 + norm) * np.abs(expected).max())


@pytest.mark.parametrize('matrix', [
    [[-2.0, 1.0, 0.0], [0.0, -2.0, 1.0], [0.0, 0.0, -2.0]],
    [[0.0, 1e6, 0.0, 0.0], [0.0, 0.0, 1e-6, 0.0], [0.0, 0.0, 0.0, 1e6], [0.0] * 4]],
    ids=['Jordan', 'nilpotent'])
def test_of_matrices_without_a_basis_of_eigenvectors(matrix):
    np.testing.assert_allclose(ours(np.array(matrix)), expm(matrix), rtol=1e-14, atol=1e-15)


def test_of_a_double_eigenvalue():
    """(a - 2)^2 = 0, so exp(a) = e^2 (a - 1)."""
    a = np.array([[3.0, -1.0], [1.0, 1.0]])
    np.testing.assert_allclose(ours(a), np.exp(2.0) * (a - np.eye(2)), atol=1e-14)


def test_of_nothing():
    np.testing.assert_array_equal(ours(np.zeros((4, 4))), np.eye(4))


@pytest.mark.parametrize('rate', [1.0, 1e3, 1e6])
def test_of_a_stiff_damper(rate):
    expected = [[1.0, -np.expm1(-rate) / rate], [0.0, np.exp(-rate)]]
    np.testing.assert_allclose(ours(np.array([[0.0, 1.0], [0.0, -rate]])), expected,
                               rtol=1e-15 * (20.0 + rate))


@pytest.mark.parametrize('rate', [1.0, 1e3, 1e5])
def test_of_a_stiff_spring(rate):
    """One of 1 / s^2 beside 1 / s: not balanced, its norm would be the square of its rate."""
    expected = [[np.cos(rate), np.sin(rate) / rate], [-rate * np.sin(rate), np.cos(rate)]]
    found = ours(np.array([[0.0, 1.0], [-rate * rate, 0.0]]))
    scale = np.array([[1.0, 1.0 / rate], [rate, 1.0]])
    np.testing.assert_allclose(found / scale, expected / scale, atol=1e-15 * (20.0 + rate))


def test_small_couplings_are_not_lost_beside_large_ones():
    """A constant input of 1e10, of another unit, moves the position by half of it."""
    found = ours(np.array([[0.0, 1.0, 0.0], [-1e-20, 0.0, 1e10], [0.0, 0.0, 0.0]]))
    np.testing.assert_allclose(found[:, 2], [5e9, 1e10, 1.0], rtol=1e-14)


@pytest.mark.parametrize('value', [np.nan, np.inf, 1e200])
def test_what_has_no_exponential_is_refused(value):
    assert ours(np.array([[value, 1.0], [1.0, -value]])) is None
