"""Generalized momentum of the degrees of freedom, and what changes it."""

from numba import njit

from mb_model.kernels.constraint_products import weighted_bilinear
from mb_model.kernels.forces import generalized_forces
from mb_model.kernels.transformation import apply_s_transposed

_bend, _forces = weighted_bilinear, generalized_forces


@njit(cache=True)
def momentum(model, work, out, rate):
    """At work.q, qd, R of solve_velocity: write the momentum M_bar zd and its known rate (g).

    out = R^T M qd; rate = C^T zd + R^T Q, where C = R^T M R_dot, so that d(M_bar)/dt = C + C^T and
    the momentum's rate is this plus all forces that are not in Q, without any accelerations.  By
    phi_q_dot R + phi_q R_dot = 0: C^T zd = -R^T phi_q_dot^T S^T M qd.
    Source: Mohammad et al. 2025, Eqs. (2), (3).
    """
    moving, direction, pulled = work.vector1, work.vector2, work.vector3
    _forces(model, work)
    for row in range(model.n):
        total = 0.0
        for column in range(model.n):
            total += work.M[row, column] * work.qd[column]
        moving[row] = total
    apply_s_transposed(model, work, moving, pulled)
    for k in range(model.g):
        out[k] = rate[k] = 0.0
        for row in range(model.n_total):
            direction[row] = work.R[row, k]
        for row in range(model.n):
            out[k] += direction[row] * moving[row]
            rate[k] += direction[row] * work.Q[row]
        rate[k] -= _bend(model, work.q, direction, work.qd, pulled)
