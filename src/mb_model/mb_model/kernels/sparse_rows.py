"""The Jacobian of the constraints by rows, each over the few coordinates that it addresses.

Row k of phi_q has its entries phi_q[k, c] in the coordinates row_coordinate[k, c] of the model.
"""


from mb_model.jit import by_number, kernel
from mb_model.kernels import spatial_constraints
from mb_model.kernels.constraint_products import bilinear_one, factors_of
from mb_model.kernels.constraints import evaluate_one
from mb_model.kernels.time import add_driven
from mb_model.registry.spatial import EQUATIONS, kernels

_evaluate, _bilinear = by_number(kernels(EQUATIONS, 'evaluate')), spatial_constraints.bilinear


@kernel
def gather(model, row, v, local):
    """Write the entries of v (n_total) that equation `row` addresses to local."""
    for c in range(model.row_gathered[row]):
        local[c] = v[model.row_coordinate[row, c]]


@kernel
def evaluate(model, work):
    """Write work.phi and phi_q at work.q."""
    for row in range(model.m):
        for c in range(model.row_gathered[row]):
            work.phi_q[row, c] = 0.0
    for k in range(model.constraints):
        row = model.constraint_row[k]
        gather(model, row, work.q, work.local_q)
        evaluate_one(model.constraint_kind[k], model.local_index[k], model.constraint_value[k],
                     work.local_q, work.phi, work.phi_q, row)
    for k in range(model.spatial_equations):
        _evaluate_in_space(model, work, k)


@kernel
def _evaluate_in_space(model, work, k):
    """Write the row of equation k in space, in full first."""
    row = model.space_row[k]
    for c in range(model.row_gathered[row]):
        work.line[0, model.row_coordinate[row, c]] = 0.0
    _evaluate(model.space_kind[k], model, k, work.q, work.line_value, work.line, 0)
    work.phi[row] = work.line_value[0]
    for c in range(model.row_gathered[row]):
        work.phi_q[row, c] = work.line[0, model.row_coordinate[row, c]]


@kernel
def rate_products(model, work, out):
    """Write phi_q_dot qd + phi_tt (m) at work.q, qd."""
    for k in range(model.m):
        out[k] = 0.0
    for k in range(model.constraints):
        row = model.constraint_row[k]
        gather(model, row, work.q, work.local_q)
        gather(model, row, work.qd, work.local_v)
        kind, index = model.constraint_kind[k], model.local_index[k]
        s, c = factors_of(kind, index, model.constraint_value[k], work.local_q)
        out[row] = bilinear_one(kind, index[0], index[1], index[2], index[3], index[4], s, c,
                                work.local_q, work.local_v, work.local_v)
    if model.spatial_equations > 0:
        _bilinear(model, work.q, work.qd, work.qd, out)
    add_driven(model, work.qdd, -1.0, out)


@kernel
def row_product(model, work, k, v):
    """Return row k of phi_q times v (n)."""
    total = 0.0
    for c in range(model.row_width[k]):
        total += work.phi_q[k, c] * v[model.row_coordinate[k, c]]
    return total


@kernel
def add_row(model, work, k, factor, out):
    """Add factor times row k of phi_q to out (n)."""
    for c in range(model.row_width[k]):
        out[model.row_coordinate[k, c]] += factor * work.phi_q[k, c]
