"""Exact derivatives of accelerations, of the degrees of freedom and of all coordinates."""

from numba import njit

from mb_model.kernels.constraints import curvature, second, third
from mb_model.kernels.forces import force_change
from mb_model.kernels.linear_algebra import cholesky_solve
from mb_model.kernels.transformation import apply_s, apply_s_transposed
from mb_model.record import MODEL, WORK
from mb_model.separate import separate


@njit(cache=True)
def _add_rate(R, zdd, at_constant_zdd, n, g, out, column):
    """Write column of out: what qdd changes by at a constant zdd, and R zdd."""
    for row in range(n):
        total = at_constant_zdd[row]
        for k in range(g):
            total += R[row, k] * zdd[k]
        out[row, column] = total


@njit(cache=True)
def _multiply(matrix, v, out, rows, columns, factor):
    """Write out = factor * matrix v."""
    for row in range(rows):
        total = 0.0
        for column in range(columns):
            total += matrix[row, column] * v[column]
        out[row] = factor * total


@njit(cache=True)
def _bilinear(R, k, matrix, v, n):
    """Return (column k of R)^T matrix v."""
    total = 0.0
    for row in range(n):
        if R[row, k] != 0.0:
            part = 0.0
            for column in range(n):
                part += matrix[row, column] * v[column]
            total += R[row, k] * part
    return total


@separate(MODEL, WORK)
def linearise(model, work):
    """After forward_dynamics: write work.A = dzdd/dz and work.B = dzdd/dzd (g, g).

    Also work.qd_z, and work.qdd_z and qdd_zd with the changes of zdd by A and B in them (n, g).

    Column i differentiates M_bar zdd = R^T (Q - M S c) + forces along z_i, where q moves by R_i
    (column i of R) and qd by qd_i = R_zi zd = -S phi_q_dot R_i, and along zd_i, where qd moves by
    R_i.  With R zdd + S c put together to qdd, for which phi_q qdd + phi_q_dot qd = 0:

        M_bar dzdd = dR^T (Q - M qdd) + R^T dQ - R^T M dqdd     (dqdd: at a constant zdd)
        along z_i:  dqdd = -S [ (phi_qq R_i) qdd + (phi_q_dot)_q qd R_i + 2 phi_q_dot qd_i ],
                    dR^T v = -R^T (sum_k mu_k phi_qq,k) R_i,  mu = S^T v
        along zd_i: dqdd = -2 S phi_q_dot R_i,  dR^T v = 0

    dQ is the change of springs, dampers and friction.  Equal, term by term, to the matrices A and
    B of Pyrhonen et al. 2023a, Eqs. (30)-(40).
    """
    n, m, g = model.n, model.m, model.g
    unbalanced, mu = work.vector1, work.vector2
    for row in range(n):
        total = work.Q[row]
        for column in range(n):
            total -= work.M[row, column] * work.qdd[column]
        unbalanced[row] = total
    apply_s_transposed(model, work, unbalanced, mu)
    curvature(model, work.q, mu, work.matrix1)
    along, moved, still = work.vector3, work.residual, work.large_vector
    for row in range(n):
        still[row] = 0.0
    right, change = work.vector1, work.vector2
    for i in range(g):
        for row in range(model.n_total):
            along[row] = work.R[row, i]
        second(model, work.q, along, work.matrix2)
        third(model, work.q, work.qd, along, work.matrix3)
        _multiply(work.phi_q_dot, along, right, m, n, -1.0)
        apply_s(model, work, right, moved)                         # qd_i
        for row in range(m):
            total = 0.0
            for column in range(n):
                total -= (work.matrix2[row, column] * work.qdd[column]
                          + work.matrix3[row, column] * work.qd[column]
                          + 2.0 * work.phi_q_dot[row, column] * moved[column])
            right[row] = total
        apply_s(model, work, right, change)                        # d(qdd) along z_i
        for k in range(g):
            work.small1[k] = (force_change(model, work.qd, along, moved, work.R, k)
                              - _bilinear(work.R, k, work.matrix1, along, n)
                              - _bilinear(work.R, k, work.M, change, n))
        cholesky_solve(work.M_bar_factor, work.small1, g)
        for k in range(g):
            work.A[k, i] = work.small1[k]
        _add_rate(work.R, work.small1, change, n, g, work.qdd_z, i)
        for row in range(n):
            work.qd_z[row, i] = moved[row]
        _multiply(work.phi_q_dot, along, right, m, n, -2.0)
        apply_s(model, work, right, change)                        # d(qdd) along zd_i
        for k in range(g):
            work.small1[k] = (force_change(model, work.qd, still, along, work.R, k)
                              - _bilinear(work.R, k, work.M, change, n))
        cholesky_solve(work.M_bar_factor, work.small1, g)
        for k in range(g):
            work.B[k, i] = work.small1[k]
        _add_rate(work.R, work.small1, change, n, g, work.qdd_zd, i)
