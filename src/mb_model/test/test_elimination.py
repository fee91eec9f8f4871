"""Orders of elimination of tangents in space: permutations, what they fill, and their factors."""

from itertools import pairwise

import numpy as np
import pytest

from mb_model import load_mechanism, mechanism_names
from mb_model.compilation.spatial.elimination import PIECE, best_elimination
from mb_model.jit import entry
from mb_model.kernels.listed_cholesky import listed_factor, listed_solve
from mb_model.record import MODEL

SPATIAL = [name for name in mechanism_names() if load_mechanism(name).dimension == 3]


@entry
def solved(models, a, b, ordered):
    """Factorise a, in places, and solve a x = b in place; return whether it is positive definite.
    """
    if not listed_factor(models[0], a):
        return False
    listed_solve(models[0], a, b, ordered)
    return True


def filled(matrix):
    """Return where the upper factor of a positive definite matrix may have entries (n, n)."""
    a = matrix != 0.0
    for k in range(len(a)):
        later = np.flatnonzero(a[k, k + 1:]) + k + 1
        a[np.ix_(later, later)] = True
    return np.triu(a, 1)


def recorded(found):
    """Return a model that has nothing but an Elimination."""
    fills = np.concatenate([*found.later, []]).astype(int)
    model = MODEL.new(**dict.fromkeys(MODEL.size_names, 1) | {
        'listed': len(found.order), 'fills': len(fills)})
    record, n = model[0], len(found.order)
    record['n'], record['eliminated'][:n], record['piece'][:n] = n, found.order, found.pieces
    record['fill_row'][:n + 1] = np.cumsum([0, *map(len, found.later)])
    record['fill_column'][:len(fills)] = fills
    return model


def random_groups(rng, n):
    """Return groups of coordinates, among them threes side by side, that act together."""
    nodes = [list(range(k, min(k + 3, n))) for k in range(0, n, 3)]
    return nodes + [[k for node in rng.choice(len(nodes), 2) for k in nodes[node]]
                    for _ in range(n // 2)]


@pytest.mark.parametrize('n', [1, 2, 3, 4, 7, 12, 30, 43])
def test_matrices_are_solved(rng, n):
    for _ in range(5):
        groups = random_groups(rng, n)
        found = best_elimination(groups, n)
        matrix = np.diag(0.1 + rng.random(n))
        for group in groups:
            part = rng.normal(size=(len(group), 2))
            matrix[np.ix_(group, group)] += part @ part.T
        order, b = found.order, rng.normal(size=n)
        # What no list names is not read.
        upper, x = np.full((n, n), np.nan), b.copy()
        for k, later in enumerate(found.later):
            for place in (k, *later):
                upper[k, place] = matrix[order[k], order[place]]
        model = recorded(found)
        assert solved(model, upper.copy(), x, np.full(n, np.nan))
        expected = np.linalg.solve(matrix, b)
        assert np.abs(x - expected).max() <= 1e-14 * np.linalg.cond(matrix) * np.abs(expected).max()
        upper[n // 2, n // 2] = -1.0
        assert not solved(model, upper, x, np.full(n, np.nan))


@pytest.mark.parametrize('n', [1, 5, 12, 43])
def test_orders_are_permutations_and_fill_no_more(rng, n):
    for _ in range(20):
        groups = random_groups(rng, n)
        found = best_elimination(groups, n)
        assert sorted(found.order) == list(range(n))
        matrix = np.eye(n)
        for group in groups:
            matrix[np.ix_(group, group)] = 1.0
        entries = filled(matrix[np.ix_(found.order, found.order)])
        assert [list(row) for row in found.later] == [list(np.flatnonzero(row)) for row in entries]
        assert found.multiplications <= multiplications(filled(matrix))
        width, k = found.pieces, 0
        while k < n:
            for j in range(1, width[k]):
                assert list(found.later[k + j - 1]) == [k + j, *found.later[k + j]]
            assert width[k] in (1, PIECE)
            k += width[k]


def multiplications(entries):
    """Return how many a factorisation takes, by its entries."""
    counts = entries.sum(axis=1)
    return int((counts * (counts + 3) // 2).sum())


@pytest.mark.parametrize('name', SPATIAL)
def test_machines_are_eliminated_in_fewer_multiplications(name):
    """Than in the order of their coordinates; nothing of their tangent is left out."""
    mechanism = load_mechanism(name)
    record, n, m = mechanism.model[0], mechanism.n, mechanism.m
    order, ends = record['eliminated'][:n], record['fill_row'][:n + 1]
    assert sorted(order) == list(range(n))
    later = [record['fill_column'][begin:end] for begin, end in pairwise(ends)]
    matrix = np.eye(n)
    for k in range(m):
        columns = record['entry_column'][record['row_entries'][k]:record['row_moving'][k]]
        matrix[np.ix_(columns, columns)] = 1.0
    matrix[mechanism.workspace()['M'][0, :n, :n] != 0.0] = 1.0
    known = np.zeros((n, n), dtype=bool)
    for k, row in enumerate(later):
        known[k, row] = True
    assert not (np.triu(matrix[np.ix_(order, order)], 1).astype(bool) & ~known).any()
    assert multiplications(known) <= multiplications(filled(matrix))


@pytest.mark.parametrize('name', SPATIAL)
def test_dependent_coordinates_are_ordered_for_few_multiplications(name):
    """Of J_d^T J_d, whose factor has all that LU factors of J_d can have; none is lost."""
    mechanism = load_mechanism(name)
    record, m = mechanism.model[0], mechanism.m
    chosen = record['dependent'][:m]
    ascending = sorted(set(range(mechanism.n)) - set(record['independent'][:mechanism.g]))
    assert sorted(chosen) == ascending
    rows = np.zeros((m, mechanism.n))
    for k in range(m):
        rows[k, record['entry_column'][record['row_entries'][k]:record['row_moving'][k]]] = 1.0
    counts = [multiplications(filled(rows[:, order].T @ rows[:, order] + np.eye(m)))
              for order in (chosen, ascending)]
    assert counts[0] <= counts[1]
