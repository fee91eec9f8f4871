"""LU factors by lists of their entries, against LAPACK and the factors in full."""

import numpy as np
import pytest

from mb_model import load_mechanism
from mb_model.jit import entry
from mb_model.kernels import listed_lu
from mb_model.kernels.linear_algebra import lu_factor

STEWART = load_mechanism('stewart')


@entry
def factored(models, works, n):
    """Factorise; return the sign of the determinant."""
    return listed_lu.factor(models[0], works[0], n)


@entry
def solved(models, works, n, count, b, rows, transposed):
    """Solve for b (n) and for rows (count, n) in place."""
    model, work = models[0], works[0]
    if transposed:
        listed_lu.solve_transposed(model, work, b, n)
        listed_lu.solve_transposed_rows(model, work, rows, n, count)
    else:
        listed_lu.solve(model, work, b, n)
        listed_lu.solve_rows(model, work, rows, n, count)


@pytest.fixture
def works():
    """A workspace in space, its factor and lists full of what nothing may read."""
    works = STEWART.workspace()
    works['factor'], works['pivots'] = np.nan, -7
    works['factor_below'], works['factor_above'] = -7, -7
    return works


@pytest.mark.parametrize(('n', 'share'), [(1, 1.0), (2, 0.5), (6, 0.3), (20, 0.15), (40, 0.1),
                                          (40, 1.0)])
def test_solutions_are_those_of_lapack(works, rng, n, share):
    for _ in range(10):
        matrix = rng.normal(size=(n, n)) * (rng.random((n, n)) < share)
        matrix[rng.permutation(n), np.arange(n)] += rng.choice([-2.0, 2.0], n)
        works['factor'][0, :n, :n] = matrix
        assert factored(STEWART.model, works, n) == np.sign(np.linalg.det(matrix))
        condition = np.linalg.cond(matrix)
        for transposed, system in ((False, matrix), (True, matrix.T)):
            b, rows = rng.normal(size=n), rng.normal(size=(3, n))
            expected = np.linalg.solve(system, np.vstack([b, rows]).T).T
            solved(STEWART.model, works, n, 3, b, rows, transposed)
            found = np.vstack([b, rows])
            assert np.abs(found - expected).max() <= 1e-14 * condition * np.abs(expected).max()


@pytest.mark.parametrize('matrix', [
    np.zeros((3, 3)), np.ones((3, 3)), np.full((3, 3), np.nan), np.array([[0.0, 1.0], [1.0, 0.0]])])
def test_singular_and_broken_matrices_are_judged_as_in_full(works, matrix):
    n = len(matrix)
    works['factor'][0, :n, :n] = matrix
    assert factored(STEWART.model, works, n) == lu_factor(matrix.copy(), np.zeros(n, np.int64), n)
