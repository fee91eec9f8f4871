"""Generalized momentum of the degrees of freedom, and what changes it."""

from numba import njit

from mb_model.kernels.constraint_products import weighted_bilinear
from mb_model.kernels.forces import generalized_forces
from mb_model.kernels.matrix_r import inverse_dynamics
from mb_model.kernels.position import SOLVED, solve_position
from mb_model.kernels.transformation import apply_s_transposed
from mb_model.kernels.velocity import solve_velocity

_bend, _forces, _solve_velocity = weighted_bilinear, generalized_forces, solve_velocity
_solve_position, _inverse = solve_position, inverse_dynamics


@njit(cache=True)
def momentum(model, work, out, rate):
    """At work.q, qd, R of solve_velocity: write the momentum M_bar zd and its known rate (g).

    out = R^T M qd; rate = C^T zd + R^T Q, where C = R^T M R_dot, so that d(M_bar)/dt = C + C^T and
    the momentum's rate is this plus all forces from outside, without any accelerations.  By
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


@njit(cache=True)
def momentum_at(models, works, out, rate):
    """Solve for q and qd near work.q at work.z, zd, then momentum(); False where that fails."""
    model, work = models[0], works[0]
    if _solve_position(model, work) != SOLVED or not _solve_velocity(model, work):
        return False
    momentum(model, work, out, rate)
    return True


@njit(cache=True)
def balance_at(models, works):
    """Solve for q near work.q at work.z, zd, zdd: write work.forces = M_bar zdd - Q_bar.

    Returns False where that fails.
    """
    model, work = models[0], works[0]
    return _solve_position(model, work) == SOLVED and _inverse(model, work, work.forces)
