"""The velocity transformations R and S, dense.

phi_q splits into the columns of the dependent coordinates, J_d (square), and of the independent
ones, J_i; then R = [-J_d^-1 J_i; I] and S = [J_d^-1; 0], in the order (dependent, independent).
"""


from mb_model.jit import kernel, separate
from mb_model.kernels import listed_lu
from mb_model.kernels.constraints import evaluate
from mb_model.kernels.linear_algebra import (
    lu_factor,
    lu_solve,
    lu_solve_rows,
    lu_solve_transposed,
    lu_solve_transposed_rows,
)
from mb_model.record import MODEL, WORK


@kernel
def _factor_full(model, work, size):
    return lu_factor(work.factor, work.pivots, size)


@kernel
def _solve_full(model, work, b, size):
    lu_solve(work.factor, work.pivots, b, size)


@kernel
def _solve_rows_full(model, work, rows, size, count):
    lu_solve_rows(work.factor, work.pivots, rows, size, count)


@kernel
def _solve_transposed_full(model, work, b, size):
    lu_solve_transposed(work.factor, work.pivots, b, size)


@kernel
def _solve_transposed_rows_full(model, work, rows, size, count):
    lu_solve_transposed_rows(work.factor, work.pivots, rows, size, count)


_factor = listed_lu.by_dimension(_factor_full, listed_lu.factor)
_solve = listed_lu.by_dimension(_solve_full, listed_lu.solve)
_solve_rows = listed_lu.by_dimension(_solve_rows_full, listed_lu.solve_rows)
_solve_transposed = listed_lu.by_dimension(_solve_transposed_full, listed_lu.solve_transposed)
_solve_transposed_rows = listed_lu.by_dimension(
    _solve_transposed_rows_full, listed_lu.solve_transposed_rows)


@kernel
def factor_dependent(model, work):
    """Factorise J_d into work.factor; return the sign of its determinant, 0.0 if it is singular.

    The sign distinguishes the branches of a mechanism: they meet only where it vanishes.
    """
    size = model.n - model.g
    for row in range(size):
        for column in range(size):
            work.factor[row, column] = work.phi_q[row, model.dependent[column]]
    return _factor(model, work, size)


@separate(MODEL, WORK)
def prepare_velocity(model, work):
    """At work.q: write work.phi, phi_q, factor, pivots and R (n_total, g).

    Returns the sign of the determinant of J_d, 0.0 at a singular position (R is not valid then).
    Source: R of Rodriguez et al. 2023, Eq. (18).
    """
    evaluate(model, work.q, work.phi, work.phi_q)
    sign = factor_dependent(model, work)
    if sign == 0.0:
        return sign
    size, rows = model.n - model.g, work.R_rows
    for k in range(model.g):
        for row in range(size):
            rows[k, row] = -work.phi_q[row, model.independent[k]]
    _solve_rows(model, work, rows, size, model.g)
    for k in range(model.g):
        for row in range(model.n_total):
            work.R[row, k] = 0.0
        for row in range(size):
            work.R[model.dependent[row], k] = rows[k, row]
        work.R[model.independent[k], k] = 1.0
    return sign


@kernel
def apply_r(model, work, zd, qd):
    """Write qd = R zd (n)."""
    for row in range(model.n):
        total = 0.0
        for k in range(model.g):
            total += work.R[row, k] * zd[k]
        qd[row] = total


@kernel
def apply_s(model, work, b, out):
    """Write out = S b (n_total): a change that makes phi_q out = b; needs work.factor.

    b (m) is overwritten; out must be another array.
    """
    size = model.n - model.g
    _solve(model, work, b, size)
    for row in range(model.n_total):
        out[row] = 0.0
    for row in range(size):
        out[model.dependent[row]] = b[row]


@kernel
def apply_s_to_rows(model, work, rows, out):
    """Write out[k] = S rows[k] for each degree of freedom k, see apply_s.

    rows (g, m) is overwritten; out (g, n_total) must be another array.
    """
    size = model.n - model.g
    _solve_rows(model, work, rows, size, model.g)
    for k in range(model.g):
        for row in range(model.n_total):
            out[k, row] = 0.0
        for row in range(size):
            out[k, model.dependent[row]] = rows[k, row]


@kernel
def apply_s_transposed(model, work, v, out):
    """Write out = S^T v (m) for v (n); needs work.factor."""
    size = model.n - model.g
    for row in range(size):
        out[row] = v[model.dependent[row]]
    _solve_transposed(model, work, out, size)


@kernel
def apply_s_transposed_to_rows(model, work, rows):
    """Replace the dependent coordinates of v, each of rows (g, n - g), by S^T v (m)."""
    _solve_transposed_rows(model, work, rows, model.n - model.g, model.g)
