"""Higher derivatives of the constraints along the directions of all degrees of freedom at once.

A direction e is a row of work.directions, a column of R; its turn d, a row of work.turns, is by how
much qd changes along it.  What the functions of kernels.constraint_products give direction by
direction, in one pass over the constraints.
Of these: derivatives of velocities and accelerations by the degrees of freedom, without dynamics.
"""

from mb_model.jit import kernel, separate
from mb_model.kernels import spatial_constraints
from mb_model.kernels.constraint_products import bilinear_of, of_constraint, trilinear_of
from mb_model.kernels.transformation import apply_s_to_rows
from mb_model.record import MODEL, WORK

_spatial_rates, _spatial_pushes, _spatial_curvature = (
    spatial_constraints.rates_along, spatial_constraints.pushes_along,
    spatial_constraints.curvature_along)


@kernel
def _clear(model, rows):
    """Write zeros to the leading part of rows (g, m)."""
    for a in range(model.g):
        for row in range(model.m):
            rows[a, row] = 0.0


@separate(MODEL, WORK)
def rates_along(model, work):
    """Write work.rates = phi_q_dot e (g, m)."""
    _clear(model, work.rates)
    q, qd = work.q, work.qd
    for constraint in range(model.constraints):
        kind, i, j, k, l, p, s, c = of_constraint(model, q, constraint)             # noqa: E741
        row = model.constraint_row[constraint]
        for a in range(model.g):
            work.rates[a, row] = bilinear_of(kind, i, j, k, l, p, s, c, q, qd, work.directions[a])
    if model.spatial_equations > 0:
        _spatial_rates(model, work)


@separate(MODEL, WORK)
def pushes_along(model, work):
    """Write work.pushes = (phi_qq qdd + (phi_q_dot)_q qd) e + 2 phi_q_dot d (g, m)."""
    _clear(model, work.pushes)
    q, qd, qdd = work.q, work.qd, work.qdd
    for constraint in range(model.constraints):
        kind, i, j, k, l, p, s, c = of_constraint(model, q, constraint)             # noqa: E741
        row = model.constraint_row[constraint]
        for a in range(model.g):
            e, d = work.directions[a], work.turns[a]
            by_turn = bilinear_of(kind, i, j, k, l, p, s, c, q, qd, d)
            by_position = bilinear_of(kind, i, j, k, l, p, s, c, q, qdd, e)
            third = trilinear_of(kind, i, j, k, l, p, s, c, q, qd, qd, e)
            work.pushes[a, row] = 2.0 * by_turn + by_position + third
    if model.spatial_equations > 0:
        _spatial_pushes(model, work)


@separate(MODEL, WORK)
def curvature_along(model, work):
    """Write e^T (sum_k mu_k phi_qq,k) e between directions.

    Into the lower triangle of work.curvature (g, g).
    """
    for a in range(model.g):
        for b in range(a + 1):
            work.curvature[a, b] = 0.0
    for constraint in range(model.constraints):
        kind, i, j, k, l, p, s, c = of_constraint(model, work.q, constraint)        # noqa: E741
        weight = work.mu[model.constraint_row[constraint]]
        for a in range(model.g):
            e = work.directions[a]
            for b in range(a + 1):
                bend = bilinear_of(kind, i, j, k, l, p, s, c, work.q, e, work.directions[b])
                work.curvature[a, b] += weight * bend
    if model.spatial_equations > 0:
        _spatial_curvature(model, work)


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
    n, m, g, turns, qdd = model.n, model.m, model.g, work.turns, work.qdd_rows
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
    apply_s_to_rows(model, work, work.pushes, qdd)
    for i in range(g):
        for row in range(n):
            work.qd_z[row, i], work.qdd_zd[row, i] = turns[i, row], 2.0 * turns[i, row]
            work.qdd_z[row, i] = qdd[i, row]
