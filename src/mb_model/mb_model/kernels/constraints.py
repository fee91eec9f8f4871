"""All constraints of a model: phi(q) = 0 and its derivatives, row by row.

The kernels of one constraint, `evaluate_one` to `curvature_one`, call its kind's (see
registry.constraints).  They write rows that are zero, and touch only the coordinates that index
addresses, whatever the arrays around are.  Equations of mechanisms in space are in
spatial_constraints.  Elsewhere arrays over coordinates have n_total entries
(see mb_model.record).
"""


from mb_model.jit import by_number, entry, inlined, kernel, separate
from mb_model.kernels import spatial_constraints
from mb_model.record import MODEL, WORK
from mb_model.registry.constraints import kernels

_VECTOR, _MATRIX = WORK['q'], WORK['M']

_evaluate_spatial, _second_spatial = spatial_constraints.evaluate, spatial_constraints.second
_third_spatial, _curvature_spatial = spatial_constraints.third, spatial_constraints.curvature

# Of one constraint: of its kind's number and what EquationKind says.
_evaluate, second_one, _third, _curvature, _coordinate = (
    by_number(kernels(name)) for name in ('evaluate', 'second', 'third', 'curvature', 'coordinate'))


@inlined
def evaluate_one(kind, index, value, q, phi, phi_q, row):
    """Write phi and phi_q of one constraint from its first row on."""
    _evaluate(kind, index, value, q, phi, phi_q, row)


@entry
def coordinate_one(kind, index, value, q, old):
    """Return the value of the added coordinate that a constraint defines, next to an old value."""
    return _coordinate(kind, index, value, q, old)


@kernel
def _clear(matrix, rows, columns):
    """Write zeros to the leading part of a matrix."""
    for row in range(rows):
        for column in range(columns):
            matrix[row, column] = 0.0


@separate(MODEL, _VECTOR, _VECTOR, _MATRIX)
def evaluate(model, q, phi, phi_q):
    """Write phi (m) and phi_q (m, n_total) at q."""
    _clear(phi_q, model.m, model.n_total)
    for k in range(model.constraints):
        _evaluate(model.constraint_kind[k], model.constraint_index[k], model.constraint_value[k], q,
                  phi, phi_q, model.constraint_row[k])
    if model.spatial_equations > 0:
        _evaluate_spatial(model, q, phi, phi_q)


@separate(MODEL, _VECTOR, _VECTOR, _MATRIX)
def second(model, q, v, out):
    """Write phi_qq v (m, n_total); with v = qd this is phi_q_dot."""
    _clear(out, model.m, model.n_total)
    for k in range(model.constraints):
        second_one(model.constraint_kind[k], model.constraint_index[k], model.constraint_value[k],
                   q, v, out, model.constraint_row[k])
    if model.spatial_equations > 0:
        _second_spatial(model, q, v, out)


@separate(MODEL, _VECTOR, _VECTOR, _VECTOR, _MATRIX)
def third(model, q, v, w, out):
    """Write (phi_qq v)_q w (m, n_total), symmetric in v and w; v = w = qd: (phi_q_dot)_q qd."""
    _clear(out, model.m, model.n_total)
    for k in range(model.constraints):
        _third(model.constraint_kind[k], model.constraint_index[k], model.constraint_value[k], q, v,
               w, out, model.constraint_row[k])
    if model.spatial_equations > 0:
        _third_spatial(model, q, v, w, out)


@separate(MODEL, _VECTOR, _VECTOR, _MATRIX)
def curvature(model, q, weights, out):
    """Write sum_k weights[k] * phi_qq of equation k (n_total, n_total)."""
    _clear(out, model.n_total, model.n_total)
    for k in range(model.constraints):
        _curvature(model.constraint_kind[k], model.constraint_index[k], model.constraint_value[k],
                   q, weights[model.constraint_row[k]], out)
    if model.spatial_equations > 0:
        _curvature_spatial(model, q, weights, out)
