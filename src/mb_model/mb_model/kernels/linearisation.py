"""Exact derivatives of accelerations, of the degrees of freedom and of all coordinates.

And how fast the linearised equations of the degrees of freedom can be.
"""

from math import sqrt

from mb_model.jit import kernel, separate
from mb_model.kernels.directions import curvature_along, pushes_along, rates_along
from mb_model.kernels.efforts import passed_share
from mb_model.kernels.forces import add_force_changes
from mb_model.kernels.linear_algebra import cholesky_solve, cholesky_solve_columns
from mb_model.kernels.matrix_r import unbalanced_part
from mb_model.kernels.rolling_changes import (
    add_traction_changes,
    constrain_columns,
    constrain_derivatives,
)
from mb_model.kernels.transformation import (
    apply_s,
    apply_s_to_rows,
    apply_s_transposed_to_rows,
)
from mb_model.record import MODEL, WORK


@kernel
def prepare_derivatives(model, work):
    """After forward_dynamics: write work.mu = S^T (Q - M qdd) and the rows of work.S_M_R.

    S_M_R (g, m) = (S^T M R)^T gives R^T M S v for any v without solving for S v.
    """
    unbalanced_part(model, work, work.mu)
    size = model.n - model.g
    for k in range(model.g):
        for row in range(size):
            work.S_M_R[k, row] = work.M_R[model.dependent[row], k]
    apply_s_transposed_to_rows(model, work, work.S_M_R)


@kernel
def solve_column(model, work, matrix, column):
    """Replace a column (g) of matrix by M_bar^-1 times it; needs work.M_bar_factor."""
    for k in range(model.g):
        work.column[k] = matrix[k, column]
    cholesky_solve(work.M_bar_factor, work.column, model.g)
    for k in range(model.g):
        matrix[k, column] = work.column[k]


@kernel
def _inertial(work, k, i, m):
    """Return row k of S_M_R times rows i of pushes and of rates, in sums that do not wait."""
    push = other_push = rate = other_rate = 0.0
    for row in range(0, m - 1, 2):
        here, there = work.S_M_R[k, row], work.S_M_R[k, row + 1]
        push += here * work.pushes[i, row]
        rate += here * work.rates[i, row]
        other_push += there * work.pushes[i, row + 1]
        other_rate += there * work.rates[i, row + 1]
    if m % 2 == 1:
        push += work.S_M_R[k, m - 1] * work.pushes[i, m - 1]
        rate += work.S_M_R[k, m - 1] * work.rates[i, m - 1]
    return push + other_push, rate + other_rate


@separate(MODEL, WORK)
def linearise(model, work):
    """After forward_dynamics: write work.A = dzdd/dz and work.B = dzdd/dzd (g, g).

    Column i differentiates M_bar zdd = R^T (Q - M S c) + forces along z_i, where q moves by R_i
    (column i of R) and qd by qd_i = R_zi zd = -S phi_q_dot R_i, and along zd_i, where qd moves by
    R_i.  With R zdd + S c put together to qdd, for which phi_q qdd + phi_q_dot qd = 0:

        M_bar dzdd = dR^T (Q - M qdd) + R^T dQ - R^T M dqdd     (dqdd: at a constant zdd)
        along z_i:  dqdd = -S [ (phi_qq R_i) qdd + (phi_q_dot)_q qd R_i + 2 phi_q_dot qd_i ],
                    dR^T v = -R^T (sum_k mu_k phi_qq,k) R_i,  mu = S^T v
        along zd_i: dqdd = -2 S phi_q_dot R_i,  dR^T v = 0

    dQ is the change of springs, dampers, friction and loads.  Equal, term by term, to the matrices
    A and B of Pyrhonen et al. 2023a, Eqs. (30)-(40).  Tractions of bodies that roll change so that
    nothing slips, see kernels.rolling.  Leaves R_i and qd_i in work.directions and
    work.turns (g, n_total), the brackets of dqdd, halved along zd_i, in work.pushes and work.rates
    (g, m), and dqd/dz at a constant zd in work.qd_z (n, g).
    """
    n, m, g, rows = model.n, model.m, model.g, work.push_rows
    prepare_derivatives(model, work)
    for i in range(g):
        for row in range(model.n_total):
            work.directions[i, row] = work.R[row, i]
    rates_along(model, work)
    for i in range(g):
        for row in range(m):
            rows[i, row] = -work.rates[i, row]
    apply_s_to_rows(model, work, rows, work.turns)
    for i in range(g):
        for row in range(n):
            work.qd_z[row, i] = work.turns[i, row]
    pushes_along(model, work)
    curvature_along(model, work)
    for i in range(g):
        for k in range(g):
            by_push, by_rate = _inertial(work, k, i, m)
            work.A[k, i] = by_push - work.curvature[max(i, k), min(i, k)]
            work.B[k, i] = 2.0 * by_rate
    if model.forces + model.curves + model.elements + work.loads > 0:
        add_force_changes(model, work)
    if model.rolls > 0:
        add_traction_changes(model, work)
    cholesky_solve_columns(work.M_bar_factor, work.A, g, g)
    cholesky_solve_columns(work.M_bar_factor, work.B, g, g)
    if model.rolls > 0:
        constrain_derivatives(model, work)


@kernel
def acceleration_derivatives(model, work):
    """After linearise: write work.qdd_z = dqdd/dz and work.qdd_zd = dqdd/dzd (n, g)."""
    for i in range(model.g):
        _derive_qdd(model, work, i, -1.0, work.pushes, work.A, work.qdd_z)
        _derive_qdd(model, work, i, -2.0, work.rates, work.B, work.qdd_zd)


@kernel
def _derive_qdd(model, work, i, factor, brackets, zdd_by, out):
    """Write column i of out = R zdd_by + factor S brackets."""
    for row in range(model.m):
        work.right[row] = factor * brackets[i, row]
    apply_s(model, work, work.right, work.dqdd)
    for row in range(model.n):
        total = work.dqdd[row]
        for k in range(model.g):
            total += work.R[row, k] * zdd_by[k, i]
        out[row, i] = total


@kernel
def force_derivative(model, work, out):
    """After forward_dynamics: write dzdd/dforce (g, g), forces on the degrees of freedom.

    M_bar^-1, but for bodies that roll and friction by load.  A force on coordinate i of q acts like
    R[i]^T times it on the degrees of freedom.
    """
    for i in range(model.g):
        for k in range(model.g):
            out[k, i] = passed_share(model, work, i) if k == i else 0.0
    cholesky_solve_columns(work.M_bar_factor, out, model.g, model.g)
    if model.rolls > 0:
        constrain_columns(model, work, out)


@kernel
def force_by_state(work, g, out):
    """After linearise: write the derivatives (g, 3 g) by z, zd and zdd of what a motion needs.

    Where forward dynamics has dzdd/dx at constant forces, inverse dynamics has
    dforce/dx = -M_bar dzdd/dx at constant zdd, behind the friction of drives.
    """
    for i in range(g):
        for j in range(g):
            by_z = by_zd = 0.0
            for k in range(g):
                by_z -= work.M_bar[i, k] * work.A[k, j]
                by_zd -= work.M_bar[i, k] * work.B[k, j]
            out[i, j], out[i, g + j], out[i, 2 * g + j] = by_z, by_zd, work.M_bar[i, j]


@kernel
def fastest_rates(model, work):
    """After linearise: return bounds of the rates of vibration and of decay [1/s].

    By work.A = dzdd/dz it is a square root of its norm, by work.B = dzdd/dzd its norm, in
    sizes of the coordinates.  An eigenvalue of [0, I; A, B] is at most their sum.
    """
    by_z, by_zd = 0.0, 0.0
    for i in range(model.g):
        of_row, of_rate, size = 0.0, 0.0, model.scale[model.independent[i]]
        for j in range(model.g):
            share = model.scale[model.independent[j]] / size
            of_row += share * abs(work.A[i, j])
            of_rate += share * abs(work.B[i, j])
        by_z, by_zd = max(by_z, of_row), max(by_zd, of_rate)
    return sqrt(by_z), by_zd
