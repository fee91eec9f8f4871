"""Velocity constraint factor: velocities keep the mechanism closed."""


from mb_model.jit import entry
from mb_model.kernel_api import (
    add_driven,
    evaluate_constraints as evaluate,
    second_derivatives as second,
)


@entry
def velocities(model, work, a, q, qd, e, J_a, row):
    """Error phi_q qd + phi_t (m); its derivatives are phi_qq qd = phi_q_dot and phi_q.

    q, qd: their places in the node.  With factors.tie, the one of independent coordinates.
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
