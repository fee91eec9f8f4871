"""Small linear algebra against LAPACK."""

import numpy as np
import pytest

from mb_model import load_mechanism
from mb_model.jit import entry
from mb_model.kernels import listed_lu
from mb_model.kernels.linear_algebra import (
    cholesky_factor,
    cholesky_solve,
    cholesky_solve_columns,
    lu_factor,
    lu_solve,
    lu_solve_rows,
    lu_solve_transposed,
    lu_solve_transposed_rows,
)

STEWART = load_mechanism('stewart')


def full(matrix):
    """Return the sign of the determinant, and what solves for b (n) and rows (k, n) in place."""
    n = len(matrix)
    lu, pivots = np.zeros((n + 2, n + 3)), np.zeros(n, np.int64)
    lu[:n, :n] = matrix

    def solve(b, rows, transposed):
        one, all_rows = ((lu_solve_transposed, lu_solve_transposed_rows) if transposed
                         else (lu_solve, lu_solve_rows))
        one(lu, pivots, b, n)
        all_rows(lu, pivots, rows, n, len(rows))

    return lu_factor(lu, pivots, n), solve


def listed(matrix):
    """Do the same by lists of entries, in space; the factor and its lists are poisoned."""
    n, works = len(matrix), STEWART.workspace()
    works['factor'], works['pivots'] = np.nan, -7
    works['factor_below'], works['factor_above'] = -7, -7
    works['factor'][0, :n, :n] = matrix
    return listed_factor(STEWART.model, works, n), lambda *right: listed_solve(
        STEWART.model, works, n, *right)


@entry
def listed_factor(models, works, n):
    return listed_lu.factor(models[0], works[0], n)


@entry
def listed_solve(models, works, n, b, rows, transposed):
    model, work, count = models[0], works[0], rows.shape[0]
    if transposed:
        listed_lu.solve_transposed(model, work, b, n)
        listed_lu.solve_transposed_rows(model, work, rows, n, count)
    else:
        listed_lu.solve(model, work, b, n)
        listed_lu.solve_rows(model, work, rows, n, count)


@pytest.mark.parametrize('factorise', [full, listed])
@pytest.mark.parametrize(('n', 'share'), [
    (1, 1.0), (2, 0.5), (3, 1.0), (5, 1.0), (6, 0.3), (8, 1.0), (20, 0.15), (20, 1.0), (40, 0.1),
    (40, 1.0)])
def test_lu_solves_and_gives_the_sign_of_the_determinant(rng, factorise, n, share):
    for _ in range(10):
        matrix = rng.normal(size=(n, n)) * (rng.random((n, n)) < share)
        if share < 1.0:
            matrix[rng.permutation(n), np.arange(n)] += rng.choice([-2.0, 2.0], n)
        sign, solve = factorise(matrix)
        assert sign == np.sign(np.linalg.det(matrix))
        for transposed, system in ((False, matrix), (True, matrix.T)):
            b, rows = rng.normal(size=n), rng.normal(size=(3, n))
            expected = np.linalg.solve(system, np.vstack([b, rows]).T).T
            solve(b, rows, transposed)
            errors = np.abs(np.vstack([b, rows]) - expected).max()
            assert errors <= 1e-14 * np.linalg.cond(matrix) * np.abs(expected).max()


@pytest.mark.parametrize(('one', 'rows_at_once'), [
    (lu_solve, lu_solve_rows), (lu_solve_transposed, lu_solve_transposed_rows)])
def test_rows_are_solved_to_the_bits_of_one_alone(rng, one, rows_at_once):
    for n, share in ((1, 1.0), (6, 0.4), (15, 0.2), (40, 1.0)):
        lu, pivots = rng.normal(size=(n, n)) * (rng.random((n, n)) < share) + np.eye(n), np.zeros(
            n, np.int64)
        assert lu_factor(lu, pivots, n)
        rows = rng.normal(size=(4, n + 1))
        alone, together = rows.copy(), rows.copy()
        for row in alone[:3]:
            one(lu, pivots, row, n)
        rows_at_once(lu, pivots, together, n, 3)
        np.testing.assert_array_equal(together, alone)


@pytest.mark.parametrize('factorise', [full, listed])
@pytest.mark.parametrize(('matrix', 'sign'), [
    (np.zeros((3, 3)), 0.0), (np.ones((3, 3)), 0.0), (np.full((3, 3), np.nan), 0.0),
    (np.array([[0.0, 1.0], [1.0, 0.0]]), -1.0)])
def test_lu_reports_singular_and_broken_matrices(factorise, matrix, sign):
    assert factorise(matrix)[0] == sign


@pytest.mark.parametrize('n', [1, 2, 5, 12, 40])
def test_cholesky_solves(rng, n):
    root = rng.normal(size=(n, n))
    matrix, b = root @ root.T + 0.1 * np.eye(n), rng.normal(size=n)
    lower = np.zeros((n + 1, n + 4))
    lower[:n, :n] = np.tril(matrix)
    assert cholesky_factor(lower, n)
    np.testing.assert_allclose(np.tril(lower[:n, :n]), np.linalg.cholesky(matrix), rtol=1e-10,
                               atol=1e-10)
    x = b.copy()
    cholesky_solve(lower, x, n)
    np.testing.assert_allclose(matrix @ x, b, atol=1e-9)


@entry
def solved_by_columns(lower, columns, n, count):
    """Call the kernel, which is no entry itself."""
    cholesky_solve_columns(lower, columns, n, count)


@pytest.mark.parametrize(('n', 'count'), [(1, 1), (4, 1), (6, 6), (15, 3)])
def test_columns_are_solved_to_the_bits_of_one_alone(rng, n, count):
    lower, columns = np.tril(rng.normal(size=(n, n))) + 4.0 * np.eye(n), rng.normal(
        size=(n, count + 1))
    together = columns.copy()
    solved_by_columns(lower, together, n, count)
    for c in range(count):
        alone = columns[:, c].copy()
        cholesky_solve(lower, alone, n)
        np.testing.assert_array_equal(together[:, c], alone)
    np.testing.assert_array_equal(together[:, count], columns[:, count])


@pytest.mark.parametrize('matrix', [[[1.0, 2.0], [2.0, 1.0]], [[0.0]], [[np.nan]]])
def test_cholesky_refuses_what_is_not_positive_definite(matrix):
    assert not cholesky_factor(np.array(matrix), len(matrix))
