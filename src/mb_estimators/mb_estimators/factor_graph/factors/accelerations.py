"""Acceleration constraint factor: accelerations keep the mechanism closed."""


from mb_model.jit import entry
from mb_model.kernel_api import (
    add_driven,
    evaluate_constraints as evaluate,
    second_derivatives as second,
    third_derivatives as third,
)


@entry
def accelerations(model, work, a, q, qd, qdd, e, J_a, row):
    """Error phi_q_dot qd + phi_q qdd + phi_tt (m).

    Derivatives: (phi_q_dot)_q qd + phi_qq qdd, 2 phi_q_dot, phi_q.  q, qd, qdd: places in the node.
    With factors.tie, the one of independent coordinates.
    Source: Blanco-Claraco et al. 2021, Eq. (32).
    """
    for i in range(model.n):
        work.q[i], work.qd[i], work.qdd[i] = a[q + i], a[qd + i], a[qdd + i]
    evaluate(model, work.q, work.phi, work.phi_q)
    second(model, work.q, work.qd, work.phi_q_dot)
    second(model, work.q, work.qdd, work.matrix1)
    third(model, work.q, work.qd, work.qd, work.matrix2)
    for k in range(model.m):
        e[row + k] = 0.0
        for i in range(model.n):
            e[row + k] += work.phi_q_dot[k, i] * work.qd[i] + work.phi_q[k, i] * work.qdd[i]
            J_a[row + k, q + i] = work.matrix1[k, i] + work.matrix2[k, i]
            J_a[row + k, qd + i] = 2.0 * work.phi_q_dot[k, i]
            J_a[row + k, qdd + i] = work.phi_q[k, i]
    add_driven(model, work.qdd, -1.0, e[row:])
