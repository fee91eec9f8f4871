"""What dense does with zeros, in space without most of them: by entries of rows and lists of
them in factors."""

from numba import boolean, float64, void

from mb_model.jit import kernel
from mb_model.kernels.forces import add_slopes
from mb_model.kernels.listed_cholesky import listed_factor, listed_solve
from mb_model.kernels.spatial_constraints import row_times
from mb_model.record import MODEL, WORK
from mb_model.registry.spatial import IN_SPACE

_VECTOR = WORK['q']


@kernel
def row_product(model, work, k, v):
    """Return row k of phi_q times v (n)."""
    return row_times(model, k, work.phi_q, v)


@kernel
def add_row(model, work, k, factor, out):
    """Add factor times row k of phi_q to out (n)."""
    for entry in range(model.row_entries[k], model.row_moving[k]):
        column = model.entry_column[entry]
        out[column] += factor * work.phi_q[k, column]


@IN_SPACE.separate(void, MODEL, WORK, _VECTOR, _VECTOR)
def multiply_mass(model, work, v, out):
    """Write out = M v (n)."""
    for row in range(model.n):
        total = 0.0
        for column in range(model.envelope[row], row):
            total += work.M[row, column] * v[column]
            out[column] += work.M[row, column] * v[row]
        out[row] = total + work.M[row, row] * v[row]


@IN_SPACE.separate(void, MODEL, WORK)
def reduce_mass(model, work):
    """At work.R: write work.M_R = M R and work.M_bar = R^T M R."""
    g, R, M_R, M_bar = model.g, work.R, work.M_R, work.M_bar
    for row in range(model.n):
        for k in range(g):
            M_R[row, k] = work.M[row, row] * R[row, k]
        for column in range(model.envelope[row], row):
            share = work.M[row, column]
            if share != 0.0:
                for k in range(g):
                    M_R[row, k] += share * R[column, k]
                    M_R[column, k] += share * R[row, k]
    for i in range(g):
        for j in range(i + 1):
            M_bar[i, j] = 0.0
    for row in range(model.n):
        for i in range(g):
            share = R[row, i]
            if share != 0.0:
                for j in range(i + 1):
                    M_bar[i, j] += share * M_R[row, j]
    for i in range(g):
        for j in range(i):
            M_bar[j, i] = M_bar[i, j]


@kernel
def _assemble_tangent(model, work, penalty, stiffness_share, damping_share):
    """Do what dense.assemble_tangent does, where rows of phi_q have entries."""
    for row in range(model.n):
        for column in range(row + 1):
            work.tangent[row, column] = work.M[row, column]
    for k in range(model.m):
        begin, end = model.row_entries[k], model.row_moving[k]
        for a in range(begin, end):
            row = model.entry_column[a]
            scaled = penalty * model.stiffness[k] * work.phi_q[k, row]
            if scaled != 0.0:
                for b in range(begin, a + 1):
                    column = model.entry_column[b]
                    work.tangent[row, column] += scaled * work.phi_q[k, column]
    add_slopes(model, work, stiffness_share, damping_share, work.tangent)


@kernel
def _order_tangent(model, work):
    """Write the tangent in the order in which it is eliminated, where its factor has entries."""
    tangent, factor, begin = work.tangent, work.tangent_factor, 0
    coordinate, columns, ends = model.eliminated, model.fill_column, model.fill_row
    for k in range(model.n):
        row, out, end = coordinate[k], factor[k], ends[k + 1]
        out[k] = tangent[row, row]
        for c in range(begin, end):
            column = coordinate[columns[c]]
            out[columns[c]] = tangent[max(row, column), min(row, column)]
        begin = end


@IN_SPACE.separate(boolean, MODEL, WORK, float64, float64, float64)
def factor_tangent(model, work, penalty, stiffness_share, damping_share):
    """Factorise what dense.assemble_tangent writes; return False if not positive definite."""
    _assemble_tangent(model, work, penalty, stiffness_share, damping_share)
    _order_tangent(model, work)
    return listed_factor(model, work.tangent_factor)


@IN_SPACE.separate(void, MODEL, WORK, _VECTOR)
def solve_tangent(model, work, b):
    """Solve tangent x = b (n) in place, after factor_tangent."""
    listed_solve(model, work.tangent_factor, b, work.tangent_vector)
