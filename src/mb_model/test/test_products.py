"""Products of small matrices, against numpy."""

import numpy as np
import pytest

from mb_model.jit import entry
from mb_model.kernels import products

SIZES = [(1, 1), (2, 5), (5, 2), (7, 7)]


def compiled(name, count):
    """Return a compiled function of a kernel with a number of arguments, to call from Python."""
    kernel = getattr(products, name)
    return entry({5: lambda a, b, c, d, e: kernel(a, b, c, d, e),
                  6: lambda a, b, c, d, e, f: kernel(a, b, c, d, e, f),
                  7: lambda a, b, c, d, e, f, g: kernel(a, b, c, d, e, f, g)}[count])


def larger(matrix):
    """Return an array that is larger than a matrix and poisoned beside it."""
    array = np.full(np.add(matrix.shape, 2), np.nan)
    array[:matrix.shape[0], :matrix.shape[1]] = matrix
    return array


def drawn(*shape):
    return np.random.default_rng(shape).normal(size=shape)


def same(array, expected):
    """Compare the leading part; the rest must be as it was."""
    rows, columns = expected.shape
    np.testing.assert_allclose(array[:rows, :columns], expected, rtol=1e-13, atol=1e-13)
    assert np.isnan(array[rows:]).all()
    assert np.isnan(array[:, columns:]).all()


@pytest.mark.parametrize(('rows', 'inner'), SIZES)
def test_products(rows, inner):
    a, b, before = drawn(rows, inner), drawn(inner, 3), drawn(rows, 3)
    out = larger(np.full((rows, 3), np.nan))
    compiled('multiply', 6)(larger(a), larger(b), rows, inner, 3, out)
    same(out, a @ b)
    out = larger(before)
    compiled('add_product', 7)(larger(a), larger(b), rows, inner, 3, -1.0, out)
    same(out, before - a @ b)


@pytest.mark.parametrize(('size', 'inner'), SIZES)
def test_congruences(size, inner):
    a, half = drawn(size, inner), drawn(inner, inner)
    p, product = half @ half.T, np.full((9, 9), np.nan)
    out = larger(np.full((size, size), np.nan))
    compiled('congruence', 6)(larger(a), larger(p), size, inner, product, out)
    same(out, a @ p @ a.T)
    compiled('add_congruence', 6)(larger(a), larger(p), size, inner, product, out)
    same(out, 2.0 * a @ p @ a.T)
    out = larger(np.full((size, size), np.nan))
    compiled('congruence_of_columns', 6)(larger(a.T), larger(p), size, inner, product, out)
    same(out, a @ p @ a.T)
    assert np.array_equal(out[:size, :size], out[:size, :size].T)


def test_what_is_added_to_itself():
    """P + F P F^T in place, as the noise of two steps."""
    F, half = drawn(4, 4), drawn(4, 4)
    P = half @ half.T
    out = larger(P)
    compiled('add_congruence', 6)(larger(F), out, 4, 4, np.zeros((4, 4)), out)
    same(out, P + F @ P @ F.T)


def test_factors_and_sparse_products():
    lower, left = np.tril(drawn(5, 5)), drawn(3, 5)
    stored = larger(np.where(lower == 0.0, 7.0, lower))      # the upper triangle is not read
    out = larger(np.full((5, 5), np.nan))
    entry(lambda a, n, out: products.square_of_factor(a, n, out))(stored, 5, out)
    same(out, lower @ lower.T)
    out = larger(left)
    compiled('times_factor', 5)(out, stored, 3, 5, out)
    same(out, left @ lower)
    out = larger(np.full((5, 5), np.nan))
    entry(lambda a, b, n, out: products.multiply_sparse(a, b, n, out))(
        larger(lower), larger(drawn(5, 5)), 5, out)
    same(out, lower @ drawn(5, 5))


def test_information():
    H, before = drawn(3, 4), drawn(4, 4)
    variances, present = np.array([0.1, 9.0, 2.0, 0.5]), [3, 0, 2]
    out = larger(before)
    compiled('add_information', 6)(larger(H), variances, np.array(present), 3, 4, out)
    same(out, before + H.T @ np.diag(1.0 / variances[present]) @ H)
    out, P = larger(np.full((4, 3), np.nan)), drawn(4, 4)
    compiled('information_gain', 7)(P, larger(H), variances, np.array(present), 3, 4, out)
    same(out, P @ H.T / variances[present])
