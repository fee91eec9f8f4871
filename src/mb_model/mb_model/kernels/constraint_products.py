"""Higher derivatives of the constraints along given directions: one number per equation.

What the matrices of kernels.constraints give multiplied, at the cost of the equations alone.
Directions v, w, ... and q have n_total entries.
"""


from mb_model.jit import by_number, kernel, separate
from mb_model.kernels import spatial_constraints
from mb_model.record import MODEL, WORK
from mb_model.registry.constraints import kernels

_VECTOR = WORK['q']
_bilinear_spatial, _weighted_spatial = (
    spatial_constraints.bilinear, spatial_constraints.weighted_bilinear)
_add_trilinear_spatial = spatial_constraints.add_trilinear

# Of one constraint, as EquationKind describes them; the first argument is the number of its kind.
factors_of, bilinear_of, trilinear_of = (
    by_number(kernels(name)) for name in ('factors', 'bilinear', 'trilinear'))


@kernel
def bilinear_one(kind, i, j, k, l, p, s, c, q, v, w):                    # noqa: E741
    """Return v^T phi_qq w of one constraint (zero of constraints with two equations: linear)."""
    return bilinear_of(kind, i, j, k, l, p, s, c, q, v, w)


@kernel
def of_constraint(model, q, constraint):
    """Return kind, index and factors of a constraint, as bilinear_of takes them."""
    kind, index = model.constraint_kind[constraint], model.constraint_index[constraint]
    s, c = factors_of(kind, index, model.constraint_value[constraint], q)
    return kind, index[0], index[1], index[2], index[3], index[4], s, c


@separate(MODEL, _VECTOR, _VECTOR, _VECTOR, _VECTOR)
def bilinear(model, q, v, w, out):
    """Write v^T phi_qq w (m); with v = w = qd this is phi_q_dot qd."""
    for row in range(model.m):
        out[row] = 0.0
    for constraint in range(model.constraints):
        kind, i, j, k, l, p, s, c = of_constraint(model, q, constraint)            # noqa: E741
        out[model.constraint_row[constraint]] = bilinear_one(
            kind, i, j, k, l, p, s, c, q, v, w)
    if model.spatial_equations > 0:
        _bilinear_spatial(model, q, v, w, out)


@separate(MODEL, _VECTOR, _VECTOR, _VECTOR, _VECTOR)
def weighted_bilinear(model, q, v, w, weights):
    """Return the sum of v^T phi_qq w over the equations with weights (m)."""
    total = 0.0
    for constraint in range(model.constraints):
        kind, i, j, k, l, p, s, c = of_constraint(model, q, constraint)            # noqa: E741
        total += weights[model.constraint_row[constraint]] * bilinear_one(
            kind, i, j, k, l, p, s, c, q, v, w)
    if model.spatial_equations > 0:
        total += _weighted_spatial(model, q, v, w, weights)
    return total


@separate(MODEL, _VECTOR, _VECTOR, _VECTOR, _VECTOR, _VECTOR)
def change_along(model, q, qd, qdd, e, out):
    """Write e^T (phi_qq qdd + (phi_q_dot)_q qd) (m): how both change with q along e."""
    for row in range(model.m):
        out[row] = 0.0
    for constraint in range(model.constraints):
        kind, i, j, k, l, p, s, c = of_constraint(model, q, constraint)            # noqa: E741
        out[model.constraint_row[constraint]] = (
            bilinear_one(kind, i, j, k, l, p, s, c, q, qdd, e)
            + trilinear_of(kind, i, j, k, l, p, s, c, q, qd, qd, e))
    if model.spatial_equations > 0:
        _bilinear_spatial(model, q, qdd, e, out)
        _add_trilinear_spatial(model, q, qd, qd, e, out)
