"""Independent rows, null spaces and bounded least squares, against numpy and scipy."""

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from mb_model.assembly.independent_rows import independent_keys, null_projector
from mb_model.assembly.least_squares import LeastSquares


def sparse_rows(seed, count, columns, dependent):
    """Return rows of which the last ones are sums of others, in a random order."""
    random = np.random.default_rng(seed)
    rows = random.normal(size=(count, columns)) * (random.random((count, columns)) < 0.2)
    rows[np.arange(count), np.arange(count) % columns] += 2.0
    sums = random.normal(size=(dependent, count)) * (random.random((dependent, count)) < 0.3)
    return random.permutation(np.vstack([rows, sums @ rows]))


def plainly_chosen(matrix, blocks, precision=1e-9):
    """Orthogonalise all rows at each step, norms anew: the definition of the choice."""
    rest, chosen, keys = matrix.copy(), [], list(blocks)
    least = precision * np.linalg.norm(matrix, axis=1).max()
    while keys:
        left = np.array([np.linalg.norm(rest[blocks[key]], axis=1).min() for key in keys])
        if not left.max() > least:
            break
        key = keys.pop(int(np.argmax(left >= 0.4 * left.max())))
        chosen.append(key)
        for row in blocks[key]:
            unit = rest[row] / np.linalg.norm(rest[row])
            rest -= np.outer(rest @ unit, unit)
    return chosen


@pytest.mark.parametrize('seed', range(12))
def test_rows_are_chosen_as_by_plain_orthogonalisation(seed):
    matrix = sparse_rows(seed, 30 + seed, 60, seed)
    blocks = {k: [k] for k in range(len(matrix))}
    chosen = independent_keys(matrix, blocks, blocks)
    assert len(chosen) == np.linalg.matrix_rank(matrix) == 30 + seed
    assert np.linalg.matrix_rank(matrix[chosen]) == len(chosen)
    assert chosen == plainly_chosen(matrix, blocks)


def test_blocks_are_chosen_whole_and_earlier_groups_go_first():
    matrix = sparse_rows(3, 12, 20, 0)
    matrix = np.vstack([matrix, matrix[:2]])
    blocks = {'pair': [0, 1], **{k: [k] for k in range(2, 12)}, 'again': [12, 13]}
    assert 'pair' not in independent_keys(matrix, blocks, ['again'], blocks)
    assert 'again' not in independent_keys(matrix, blocks, [key for key in blocks
                                                            if key != 'again'], ['again'])
    assert independent_keys(matrix, blocks, blocks) == plainly_chosen(matrix, blocks)


@pytest.mark.parametrize(('scale', 'rank'), [(1e-7, 2), (1e-11, 1)])
def test_a_row_that_nearly_depends_counts_by_the_precision(scale, rank):
    matrix = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, scale]])
    assert len(independent_keys(matrix, {0: [0], 1: [1]}, (0, 1))) == rank


@pytest.mark.parametrize('rows', [0, 7, 24])
def test_the_projector_leaves_what_the_matrix_takes_to_zero(rows):
    matrix = sparse_rows(rows, rows, 24, 0)
    projector = null_projector(matrix, 24 - rows)
    np.testing.assert_allclose(matrix @ projector, 0.0, atol=1e-12)
    np.testing.assert_allclose(projector @ projector, projector, atol=1e-12)
    assert np.trace(projector) == pytest.approx(24 - rows)


def test_of_rows_in_all_directions_the_projector_leaves_nothing_not_even_rounding():
    assert not null_projector(sparse_rows(1, 24, 24, 0), 0).any()


def test_the_projector_of_dependent_rows_has_the_size_that_is_asked_for():
    matrix = sparse_rows(5, 9, 20, 4)
    projector = null_projector(matrix, 11)
    np.testing.assert_allclose(matrix @ projector, 0.0, atol=1e-12)
    assert np.trace(projector) == pytest.approx(11)


def test_least_squares_within_bounds_agree_with_scipy():
    random = np.random.default_rng(2)
    matrix, right = random.normal(size=(700, 90)), random.normal(size=700)
    bounds = np.full(90, -0.02), np.full(90, 0.03)
    values, _ = LeastSquares(lambda x: (matrix @ x - right, matrix), *bounds).minimise(
        np.zeros(90), 0.0, 200)
    expected = lsq_linear(matrix, right, bounds, tol=1e-14)
    assert (values == bounds[0]).any()
    np.testing.assert_allclose(values, expected.x, atol=1e-7)
