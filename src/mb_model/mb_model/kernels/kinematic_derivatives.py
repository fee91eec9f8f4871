"""Exact derivatives of velocities and accelerations by the degrees of freedom, without dynamics."""

from mb_model.jit import separate
from mb_model.kernels.directions import pushes_along, rates_along
from mb_model.kernels.transformation import apply_s_to_rows
from mb_model.record import MODEL, WORK


@separate(MODEL, WORK)
def kinematic_derivatives(model, work):
    """After solve_acceleration: how qd and qdd change with z and zd, while zd and zdd stay.

    Column i (n) along z_i, where q moves by R_i and qd by qd_i = -S phi_q_dot R_i, and along zd_i,
    where qd moves by R_i:

        work.qd_z = qd_i
        work.qdd_z = -S [ (phi_qq R_i) qdd + (phi_q_dot)_q qd R_i + 2 phi_q_dot qd_i ]
        work.qdd_zd = -2 S phi_q_dot R_i

    Those by zdd are R, as of qd by zd.  Overwrites directions, turns, rates, pushes.
    """
    n, m, g, turns, columns = model.n, model.m, model.g, work.turns, work.columns
    for i in range(g):
        for row in range(model.n_total):
            work.directions[i, row] = work.R[row, i]
    rates_along(model, work)
    for i in range(g):
        for row in range(m):
            work.rates[i, row] = -work.rates[i, row]
    apply_s_to_rows(model, work, work.rates, turns)
    pushes_along(model, work)
    for i in range(g):
        for row in range(m):
            work.pushes[i, row] = -work.pushes[i, row]
    apply_s_to_rows(model, work, work.pushes, columns)
    for i in range(g):
        for row in range(n):
            work.qd_z[row, i], work.qdd_zd[row, i] = turns[i, row], 2.0 * turns[i, row]
            work.qdd_z[row, i] = columns[i, row]
