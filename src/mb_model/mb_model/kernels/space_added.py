"""Coordinates added to the nodes' in space (angles, travels, ...), as kernels.added in the plane.

Each follows from an equation, work.added_row: where several say the same, from the one that it
changes most.  Rows of phi_q are in work.slopes, where they have entries.
"""

from numba import void

from mb_model.jit import by_number, kernel
from mb_model.kernels.constraint_products import bilinear_one, of_constraint
from mb_model.kernels.constraints import evaluate_one
from mb_model.record import MODEL, WORK
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK
from mb_model.registry.spatial import EQUATIONS, IN_SPACE, kernels

_VECTOR = WORK['s']
_evaluate, _bilinear, _coordinate = (
    by_number(kernels(EQUATIONS, name)) for name in ('evaluate', 'bilinear', 'coordinate'))


@kernel
def row_of(model, k):
    """Return the row of equation k; equations in space come first, then constraints."""
    if k < model.spatial_equations:
        return model.space_row[k]
    return model.constraint_row[k - model.spatial_equations]


@kernel
def evaluate_row(model, work, k):
    """Write the slopes of equation k, which has one row, at q; return its phi."""
    row, line = row_of(model, k), work.line
    for at in range(model.row_entries[row], model.row_entries[row + 1]):
        line[0, model.entry_column[at]] = 0.0
    if k < model.spatial_equations:
        _evaluate(model.space_kind[k], model, k, work.q, work.line_value, line, 0)
    else:
        c = k - model.spatial_equations
        evaluate_one(model.constraint_kind[c], model.constraint_index[c],
                     model.constraint_value[c], work.q, work.line_value, line, 0)
    for at in range(model.row_entries[row], model.row_entries[row + 1]):
        work.slopes[at] = line[0, model.entry_column[at]]
    return work.line_value[0]


@kernel
def turning(model, work, k):
    """Return phi_q_dot qd of equation k, which has one row."""
    if k < model.spatial_equations:
        return _bilinear(model.space_kind[k], model, k, work.q, work.qd, work.qd)
    kind, i, j, k1, l, p, s, c = of_constraint(                                    # noqa: E741
        model, work.q, k - model.spatial_equations)
    return bilinear_one(kind, i, j, k1, l, p, s, c, work.q, work.qd, work.qd)


@kernel
def slope_of(model, work, k, column):
    """Return the slope of equation k in a column."""
    row = row_of(model, k)
    for at in range(model.row_entries[row], model.row_moving[row]):
        if model.entry_column[at] == column:
            return work.slopes[at]
    return 0.0


@IN_SPACE.separate(void, MODEL, WORK, later=(SPARSE_MODEL, SPARSE_WORK))
def added_values(model, work):
    """Write the added coordinates of q, the equations that they follow from and their slopes.

    Angles are taken next to their old values.
    """
    for column in range(model.moving, model.n):
        c = column - model.moving
        first, largest = model.added_constraint[c], 0.0
        work.added_row[c] = first
        work.q[column] = _coordinate(model.space_kind[first], model, first, work.q, work.q[column])
        for k in range(first, first + model.added_choices[c]):
            evaluate_row(model, work, k)
            slope = slope_of(model, work, k, column)
            if abs(slope) > abs(largest):
                largest, work.added_row[c] = slope, k
        work.added_slope[c] = largest


@kernel
def _by_nodes(model, work, column, v):
    """Return the rate of an added coordinate for the rates v of all that it follows from."""
    c = column - model.moving
    row, total = row_of(model, work.added_row[c]), 0.0
    for at in range(model.row_entries[row], model.row_moving[row]):
        if model.entry_column[at] != column:
            total -= work.slopes[at] * v[model.entry_column[at]]
    return total / work.added_slope[c]


@IN_SPACE.separate(void, MODEL, WORK, _VECTOR, later=(SPARSE_MODEL, SPARSE_WORK, _VECTOR))
def added_rates(model, work, v):
    """Write the added coordinates of rates v (n) from the others."""
    for column in range(model.moving, model.n):
        v[column] = _by_nodes(model, work, column, v)


@IN_SPACE.separate(void, MODEL, WORK, later=(SPARSE_MODEL, SPARSE_WORK))
def added_accelerations(model, work):
    """Write the added coordinates of qdd from the others and qd."""
    for column in range(model.moving, model.n):
        c = column - model.moving
        work.qdd[column] = (_by_nodes(model, work, column, work.qdd)
                            - turning(model, work, work.added_row[c]) / work.added_slope[c])


@IN_SPACE.separate(void, MODEL, WORK, later=(SPARSE_MODEL, SPARSE_WORK))
def forces_to_points(model, work):
    """Replace forces on added coordinates in Q by forces on nodes with the same power."""
    for column in range(model.n - 1, model.moving - 1, -1):
        if work.Q[column] != 0.0:
            c = column - model.moving
            row, push = row_of(model, work.added_row[c]), work.Q[column] / work.added_slope[c]
            for at in range(model.row_entries[row], model.row_moving[row]):
                if model.entry_column[at] != column:
                    work.Q[model.entry_column[at]] -= push * work.slopes[at]
