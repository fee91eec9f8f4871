"""Small linear algebra against LAPACK."""

import numpy as np
import pytest

from mb_model.jit import entry
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


@pytest.mark.parametrize('n', [1, 2, 3, 5, 8, 20, 40])
def test_lu_solves_and_gives_the_sign_of_the_determinant(rng, n):
    for _ in range(10):
        matrix, b = rng.normal(size=(n, n)), rng.normal(size=n)
        lu, pivots = np.zeros((n + 2, n + 3)), np.zeros(n, np.int64)
        lu[:n, :n] = matrix
        assert lu_factor(lu, pivots, n) == np.sign(np.linalg.det(matrix))
        condition = np.linalg.cond(matrix)
        for solve, system in ((lu_solve, matrix), (lu_solve_transposed, matrix.T)):
            x = b.copy()
            solve(lu, pivots, x, n)
            expected = np.linalg.solve(system, b)
            assert np.abs(x - expected).max() <= 1e-14 * condition * np.abs(expected).max()


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


def test_lu_reports_singular_and_broken_matrices():
    pivots = np.zeros(3, np.int64)
    assert lu_factor(np.zeros((3, 3)), pivots, 3) == 0.0
    assert lu_factor(np.ones((3, 3)), pivots, 3) == 0.0
    assert lu_factor(np.full((3, 3), np.nan), pivots, 3) == 0.0
    assert lu_factor(np.array([[0.0, 1.0], [1.0, 0.0]]), pivots, 2) == -1.0


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
