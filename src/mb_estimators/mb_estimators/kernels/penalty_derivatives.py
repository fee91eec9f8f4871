"""Derivatives of the accelerations of the penalty method by all coordinates and velocities."""


from mb_model.jit import kernel
from mb_model.kernel_api import (
    bilinear,
    change_along,
    force_change,
    solve_tangent,
    weighted_bilinear,
)
from mb_model.record import PENALTY


@kernel
def differentiate_penalty(model, work, p):
    """After kernels.penalty.accelerations: write p.qdd_q and p.qdd_qd (n, n), exactly.

    M qdd + phi_q^T lam = Q with lam = alpha (phi_q qdd + v), v = phi_q_dot qd + 2 xi omega phi_q qd
    + omega^2 phi, changes along e by

        M_bar dqdd = dQ - (phi_qq e)^T lam - phi_q^T alpha (phi_qq e qdd + dv)

    with M_bar = M + phi_q^T alpha phi_q.  Rodriguez et al. 2023, Eq. (31), leave out what depends
    on lam.
    """
    n, m, omega = model.n, model.m, work.natural_frequency
    damping, stiffness = 2.0 * work.damping_ratio * omega, omega * omega
    along, still, other, right = work.vector2, work.vector3, work.vector4, work.vector1
    pushes, rates = work.vector5, work.residual
    for row in range(model.n_total):
        along[row] = still[row] = other[row] = 0.0
    for column in range(n):
        along[column] = 1.0
        change_along(model, work.q, work.qd, work.qdd, along, pushes)
        bilinear(model, work.q, work.qd, along, rates)              # phi_q_dot e
        for k in range(m):
            weight = work.penalty / PENALTY * model.stiffness[k]
            slope = work.phi_q[k, column]
            pushes[k] = weight * (pushes[k] + damping * rates[k] + stiffness * slope)
            rates[k] = weight * (2.0 * rates[k] + damping * slope)
        for row in range(n):
            other[row] = 1.0
            right[row] = (force_change(model, work, along, still, other)
                          - weighted_bilinear(model, work.q, other, along, work.lam))
            p.qdd_qd[row, column] = force_change(model, work, still, along, other)
            other[row] = 0.0
            for k in range(m):
                right[row] -= work.phi_q[k, row] * pushes[k]
                p.qdd_qd[row, column] -= work.phi_q[k, row] * rates[k]
        solve_tangent(model, work, right)
        for row in range(n):
            p.qdd_q[row, column], right[row] = right[row], p.qdd_qd[row, column]
        solve_tangent(model, work, right)
        for row in range(n):
            p.qdd_qd[row, column] = right[row]
        along[column] = 0.0


@kernel
def write_step_tangent(p, n):
    """Write [I, -h/2 I; -h/2 qdd_q, I - h/2 qdd_qd]: what the trapezoidal rule has at the end."""
    T, half = p.tangent, 0.5 * p.step
    for i in range(n):
        for j in range(n):
            T[i, j], T[i, n + j] = 0.0, 0.0
            T[n + i, j], T[n + i, n + j] = -half * p.qdd_q[i, j], -half * p.qdd_qd[i, j]
        T[i, i], T[i, n + i] = 1.0, -half
        T[n + i, n + i] += 1.0
