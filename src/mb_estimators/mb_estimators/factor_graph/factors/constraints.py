"""Constraint factors: positions, velocities and accelerations keep the mechanism closed."""

from mb_model.jit import entry
from mb_model.kernel_api import (
    add_driven,
    evaluate_constraints as evaluate,
    second_derivatives as second,
    third_derivatives as third,
)


@entry
def positions(model, work, a, q, e, J_a, row):
    """Error phi(q) (m) [m^2 or m]; q: where it begins in the node.

    With factors.tie, the one of independent coordinates.
    Source: Blanco-Claraco et al. 2021, Eqs. (24), (30).
    """
    for i in range(model.n):
        work.q[i] = a[q + i]
    evaluate(model, work.q, work.phi, work.phi_q)
    for k in range(model.m):
        e[row + k] = work.phi[k]
        for i in range(model.n):
            J_a[row + k, q + i] = work.phi_q[k, i]


@entry
def velocities(model, work, a, q, qd, e, J_a, row):
    """Error phi_q qd + phi_t (m); its derivatives are phi_qq qd = phi_q_dot and phi_q.

    q, qd: where they begin in the node.  With factors.tie, the one of independent coordinates.
    Source: Blanco-Claraco et al. 2021, Eqs. (25), (31).
    """
    for i in range(model.n):
        work.q[i], work.qd[i] = a[q + i], a[qd + i]
    evaluate(model, work.q, work.phi, work.phi_q)
    second(model, work.q, work.qd, work.phi_q_dot)
    for k in range(model.m):
        e[row + k] = 0.0
        for i in range(model.n):
            e[row + k] += work.phi_q[k, i] * work.qd[i]
            J_a[row + k, q + i] = work.phi_q_dot[k, i]
            J_a[row + k, qd + i] = work.phi_q[k, i]
    add_driven(model, work.qd, -1.0, e[row:])


@entry
def accelerations(model, work, a, q, qd, qdd, e, J_a, row):
    """Error phi_q_dot qd + phi_q qdd + phi_tt (m).

    Derivatives: (phi_q_dot)_q qd + phi_qq qdd, 2 phi_q_dot, phi_q.  q, qd, qdd: where they begin.
    With factors.tie, the one of independent coordinates.
    Source: Blanco-Claraco et al. 2021, Eq. (32).
    """
    for i in range(model.n):
        work.q[i], work.qd[i], work.qdd[i] = a[q + i], a[qd + i], a[qdd + i]
    evaluate(model, work.q, work.phi, work.phi_q)
    second(model, work.q, work.qd, work.phi_q_dot)
    second(model, work.q, work.qdd, work.phi_qq_qdd)
    third(model, work.q, work.qd, work.qd, work.phi_q_dot_q_qd)
    for k in range(model.m):
        e[row + k] = 0.0
        for i in range(model.n):
            e[row + k] += work.phi_q_dot[k, i] * work.qd[i] + work.phi_q[k, i] * work.qdd[i]
            J_a[row + k, q + i] = work.phi_qq_qdd[k, i] + work.phi_q_dot_q_qd[k, i]
            J_a[row + k, qd + i] = 2.0 * work.phi_q_dot[k, i]
            J_a[row + k, qdd + i] = work.phi_q[k, i]
    add_driven(model, work.qdd, -1.0, e[row:])


@entry
def tie(model, a, q, z, e, J_a, row):
    """Error q[independent] - z (g), of positions, velocities or accelerations.

    q, z: where they begin in the node.  Source: Blanco-Claraco et al. 2021, Eqs. (30) to (32),
    lower rows.
    """
    for k in range(model.g):
        coordinate = q + model.independent[k]
        e[row + k] = a[coordinate] - a[z + k]
        J_a[row + k, coordinate], J_a[row + k, z + k] = 1.0, -1.0
