"""The equations of a mechanism in space, see space.equation: kernels.constraints adds them.

Matrices are zero, or have the rows of other equations, before.
"""

from numba import float64, void

from mb_model.jit import by_number, entry, kernel
from mb_model.record import MODEL, WORK
from mb_model.record.sparse import SPARSE_MODEL
from mb_model.registry.spatial import EQUATIONS, IN_SPACE, kernels

_VECTOR, _MATRIX = WORK['q'], WORK['M']

_evaluate, _second, _third, _curvature, _bilinear, _bilinear_change, _trilinear, _coordinate = (
    by_number(kernels(EQUATIONS, name)) for name in (
        'evaluate', 'second', 'third', 'curvature', 'bilinear', 'bilinear_change', 'trilinear',
        'coordinate'))


@IN_SPACE.separate(void, MODEL, _VECTOR, _VECTOR, _MATRIX)
def evaluate(model, q, phi, phi_q):
    """Write their rows of phi and phi_q."""
    for k in range(model.spatial_equations):
        _evaluate(model.space_kind[k], model, k, q, phi, phi_q, model.space_row[k])


@IN_SPACE.separate(void, MODEL, _VECTOR, _VECTOR, _MATRIX)
def second(model, q, v, out):
    """Write phi_qq v."""
    for k in range(model.spatial_equations):
        _second(model.space_kind[k], model, k, q, v, 1.0, out, model.space_row[k])


@IN_SPACE.separate(void, MODEL, _VECTOR, _VECTOR, _VECTOR, _MATRIX)
def third(model, q, v, w, out):
    """Write (phi_qq v)_q w."""
    for k in range(model.spatial_equations):
        _third(model.space_kind[k], model, k, q, v, w, out)


@IN_SPACE.separate(void, MODEL, _VECTOR, _VECTOR, _MATRIX)
def curvature(model, q, weights, out):
    """Add weights[row] phi_qq."""
    for k in range(model.spatial_equations):
        _curvature(model.space_kind[k], model, k, q, weights[model.space_row[k]], out)


@IN_SPACE.separate(void, MODEL, _VECTOR, _VECTOR, _VECTOR, _VECTOR,
                    later=(SPARSE_MODEL, _VECTOR, _VECTOR, _VECTOR, _VECTOR))
def bilinear(model, q, v, w, out):
    """Write v^T phi_qq w."""
    for k in range(model.spatial_equations):
        out[model.space_row[k]] = _bilinear(model.space_kind[k], model, k, q, v, w)


@IN_SPACE.separate(float64, MODEL, _VECTOR, _VECTOR, _VECTOR, _VECTOR)
def weighted_bilinear(model, q, v, w, weights):
    """Return the sum of v^T phi_qq w with weights."""
    total = 0.0
    for k in range(model.spatial_equations):
        total += weights[model.space_row[k]] * _bilinear(model.space_kind[k], model, k, q, v, w)
    return total


@IN_SPACE.separate(void, MODEL, _VECTOR, _VECTOR, _VECTOR, _VECTOR, _VECTOR)
def add_trilinear(model, q, u, v, w, out):
    """Add the third derivative along u, v, w."""
    for k in range(model.spatial_equations):
        out[model.space_row[k]] += _trilinear(model.space_kind[k], model, k, q, u, v, w)


@IN_SPACE.separate(void, MODEL, WORK, _VECTOR, _VECTOR, float64, _VECTOR)
def add_bilinear_change(model, work, v, w, factor, out):
    """Add factor times the change of v^T phi_qq w with work.d_term_weight."""
    for k in range(model.spatial_equations):
        out[model.space_row[k]] += factor * _bilinear_change(
            model.space_kind[k], model, work.d_term_weight, k, v, w)


@kernel
def clear_entries(model, out):
    """Write zeros to a matrix (m, n_total) where rows of phi_q have entries."""
    for row in range(model.m):
        for at in range(model.row_entries[row], model.row_entries[row + 1]):
            out[row, model.entry_column[at]] = 0.0


@kernel
def row_times(model, row, matrix, v):
    """Return a row of a matrix, which has entries where phi_q has, times v."""
    total = 0.0
    for at in range(model.row_entries[row], model.row_moving[row]):
        column = model.entry_column[at]
        total += matrix[row, column] * v[column]
    return total


@kernel
def _add_products(model, row, matrix, factor, vectors, out):
    """Add factor times a row of a matrix times each of vectors (g, n_total) to out[:, row].

    Entry by entry: the sums of the vectors do not wait for each other.
    """
    for at in range(model.row_entries[row], model.row_moving[row]):
        column = model.entry_column[at]
        value = factor * matrix[row, column]
        if value != 0.0:
            for a in range(model.g):
                out[a, row] += value * vectors[a, column]


@IN_SPACE.separate(void, MODEL, WORK)
def rates_along(model, work):
    """Write work.rates = phi_q_dot e, see kernels.directions; leaves phi_q_dot in work."""
    clear_entries(model, work.phi_q_dot)
    for k in range(model.spatial_equations):
        row = model.space_row[k]
        _second(model.space_kind[k], model, k, work.q, work.qd, 1.0, work.phi_q_dot, row)
        _add_products(model, row, work.phi_q_dot, 1.0, work.directions, work.rates)


@IN_SPACE.separate(void, MODEL, WORK)
def pushes_along(model, work):
    """Write work.pushes = (phi_qq qdd + (phi_q_dot)_q qd) e + 2 phi_q_dot d, after rates_along."""
    clear_entries(model, work.phi_q_ddot)
    for k in range(model.spatial_equations):
        kind, row = model.space_kind[k], model.space_row[k]
        _second(kind, model, k, work.q, work.qdd, 1.0, work.phi_q_ddot, row)
        _third(kind, model, k, work.q, work.qd, work.qd, work.phi_q_ddot)
        _add_products(model, row, work.phi_q_dot, 2.0, work.turns, work.pushes)
        _add_products(model, row, work.phi_q_ddot, 1.0, work.directions, work.pushes)


@IN_SPACE.separate(void, MODEL, WORK)
def curvature_along(model, work):
    """Add e^T (sum_k mu_k phi_qq,k) e to the lower triangle of work.curvature.

    What the sum makes of each direction is written to work.bent (g, n_total) first.
    """
    bent = work.bent
    for a in range(model.g):
        for column in range(model.n_total):
            bent[a, column] = 0.0
    for k in range(model.spatial_equations):
        weight = work.mu[model.space_row[k]]
        for a in range(model.g):
            _second(model.space_kind[k], model, k, work.q, work.directions[a], weight, bent, a)
    for a in range(model.g):
        for b in range(a + 1):
            total = work.curvature[a, b]
            for column in range(model.n):
                total += bent[a, column] * work.directions[b, column]
            work.curvature[a, b] = total


@entry
def rest_spatial(models, works):
    """Write the added coordinates of work.q from the nodes, angles next to what they are.

    Equations of coordinates come after the equations of coordinates that they follow from.
    """
    model, work = models[0], works[0]
    for k in range(model.spatial_equations):
        s = model.space_scalar[k, 0]
        if s >= 0:
            work.q[s] = _coordinate(model.space_kind[k], model, k, work.q, work.q[s])
