"""The derivatives of accelerations that the continuous filters are published with.

They leave out terms of the exact ones, see mb_model.kernels.linearisation, penalty_derivatives.
"""


from mb_model.jit import kernel
from mb_model.kernel_api import apply_s, bilinear, force_change, solve_column, solve_tangent
from mb_model.record import PENALTY


@kernel
def _clear(model, vector):
    for row in range(model.n_total):
        vector[row] = 0.0


@kernel
def differentiate_matrix_r(model, work, f, curved):
    """After forward_dynamics: write f = [0, I; F21, F22] (2g, 2g).

        F21 = -M_bar^-1 R^T (K R + 2 M R_q R zdd),  F22 = -M_bar^-1 R^T (C R + M R_dot)

    with R_q R_i zdd = -S (phi_qq R_i) R zdd and R_dot_i = -S phi_q_dot R_i for column i.  Not
    curved: without the second term of F21, as in the tangent (26).
    Source: Rodriguez et al. 2023, Eq. (23).  Writes work.A = F21 and B = F22, too.
    """
    n, g = model.n, model.g
    moved, still, push, total = work.dqdd, work.still, work.push_along, work.mu
    for row in range(model.n_total):
        still[row], moved[row] = 0.0, 0.0
        for k in range(g):
            work.directions[k, row] = work.R[row, k]
            moved[row] += work.R[row, k] * work.zdd[k]
    for i in range(g):
        along, turned = work.directions[i], work.turns[i]
        bilinear(model, work.q, along, moved, push)
        apply_s(model, work, push, total)
        bilinear(model, work.q, work.qd, along, push)
        apply_s(model, work, push, turned)
        for k in range(g):
            by_z, by_zd = 0.0, 0.0
            for row in range(n):
                if curved:
                    by_z += 2.0 * work.M_R[row, k] * total[row]
                by_zd += work.M_R[row, k] * turned[row]
            other = work.directions[k]
            work.A[k, i] = by_z + force_change(model, work, along, still, other)
            work.B[k, i] = by_zd + force_change(model, work, still, along, other)
    for i in range(g):
        solve_column(model, work, work.A, i)
        solve_column(model, work, work.B, i)
        for k in range(g):
            f[k, i], f[k, g + i] = 0.0, 1.0 if k == i else 0.0
            f[g + k, i], f[g + k, g + i] = work.A[k, i], work.B[k, i]


@kernel
def differentiate_penalty_method(model, work, f):
    """After kernels.penalty.accelerations: write f = [0, I; F21, F22] (2n, 2n).

        F21 = -M_bar^-1 (K + omega^2 phi_q^T alpha phi_q + 2 phi_q^T phi_qq qdd)
        F22 = -M_bar^-1 (C + phi_q^T alpha (phi_q_dot + 2 zeta omega phi_q))

    Source: Rodriguez et al. 2023, Eq. (31), as printed; units ask for alpha in the last term
    of F21.
    """
    n, m, omega = model.n, model.m, work.natural_frequency
    along, still, other, right = work.along, work.still, work.other, work.right
    pushes, rates = work.push_along, work.rate_along
    _clear(model, along)
    _clear(model, still)
    _clear(model, other)
    for column in range(n):
        along[column] = 1.0
        bilinear(model, work.q, work.qdd, along, pushes)
        bilinear(model, work.q, work.qd, along, rates)
        for row in range(n):
            other[row] = 1.0
            by_q = force_change(model, work, along, still, other)
            by_qd = force_change(model, work, still, along, other)
            other[row] = 0.0
            for k in range(m):
                alpha, slope = work.penalty / PENALTY * model.stiffness[k], work.phi_q[k, column]
                by_q -= work.phi_q[k, row] * (omega * omega * alpha * slope + 2.0 * pushes[k])
                by_qd -= work.phi_q[k, row] * alpha * (
                    rates[k] + 2.0 * work.damping_ratio * omega * slope)
            f[n + row, column], f[n + row, n + column] = by_q, by_qd
            f[row, column], f[row, n + column] = 0.0, 1.0 if row == column else 0.0
        along[column] = 0.0
        for state in (column, n + column):
            for row in range(n):
                right[row] = f[n + row, state]
            solve_tangent(model, work, right)
            for row in range(n):
                f[n + row, state] = right[row]
