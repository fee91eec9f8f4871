"""The velocity transformations R and S without their matrices: one solution of a band each.

J_d, the columns of phi_q of the dependent coordinates, is kept as a band.
"""


from mb_model.jit import kernel
from mb_model.kernels.sparse_band import band_factor, band_solve, band_solve_transposed, band_stride
from mb_model.kernels.sparse_rows import evaluate, row_product


@kernel
def factor_dependent(model, work):
    """Factorise J_d into work.factor; return the sign of its determinant (up to a fixed one)."""
    below, above = model.dependent_below, model.dependent_above
    stride, band = band_stride(below, above), work.factor
    for k in range(model.m * stride):
        band[k] = 0.0
    for k in range(model.m):
        row = model.dependent_row[k]
        for c in range(model.row_width[k]):
            column = model.dependent_column[model.row_coordinate[k, c]]
            if column >= 0:
                band[row * (stride - 1) + below + column] = work.phi_q[k, c]
    return band_factor(band, work.pivots, model.m, below, above)


@kernel
def prepare_velocity(model, work):
    """At work.q: write phi, phi_q and factorise J_d; return the sign, 0.0 if it is singular."""
    evaluate(model, work)
    return factor_dependent(model, work)


@kernel
def apply_r(model, work, zd, qd):
    """Write qd = R zd (n): what keeps phi_q qd = 0."""
    for row in range(model.n):
        qd[row] = 0.0
    for k in range(model.g):
        qd[model.independent[k]] = zd[k]
    for k in range(model.m):
        work.ordered[model.dependent_row[k]] = -row_product(model, work, k, qd)
    _solve(model, work)
    for row in range(model.n):
        if model.dependent_column[row] >= 0:
            qd[row] = work.ordered[model.dependent_column[row]]


@kernel
def apply_s(model, work, b, out):
    """Write out = S b (n_total): a change of dependent coordinates that makes phi_q out = b (m)."""
    for k in range(model.m):
        work.ordered[model.dependent_row[k]] = b[k]
    _solve(model, work)
    for row in range(model.n_total):
        out[row] = 0.0
    for row in range(model.n):
        if model.dependent_column[row] >= 0:
            out[row] = work.ordered[model.dependent_column[row]]


@kernel
def apply_s_transposed(model, work, v, out):
    """Write out = S^T v (m) for v (n)."""
    for row in range(model.n):
        if model.dependent_column[row] >= 0:
            work.ordered[model.dependent_column[row]] = v[row]
    band_solve_transposed(work.factor, work.pivots, work.ordered, model.m, model.dependent_below,
                          model.dependent_above)
    for k in range(model.m):
        out[k] = work.ordered[model.dependent_row[k]]


@kernel
def _solve(model, work):
    band_solve(work.factor, work.pivots, work.ordered, model.m, model.dependent_below,
               model.dependent_above)
