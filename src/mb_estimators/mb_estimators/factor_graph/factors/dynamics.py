"""Dynamics factors in dependent and in independent coordinates, forward and inverse."""

from mb_model.jit import entry, kernel
from mb_model.kernel_api import (
    curvature,
    force_change,
    force_derivative,
    forward_dynamics,
    lagrange_accelerations as accelerations,
    linearise,
    lu_solve,
    reach_position,
    second_derivatives as second,
    third_derivatives as third,
)


@kernel
def _change_of_force(model, work, i, j, by_velocity):
    """Return how the force on coordinate i changes with q_j or, by_velocity, qd_j."""
    moved, still, along = work.other, work.still, work.along
    for row in range(model.n_total):
        moved[row] = still[row] = along[row] = 0.0
    moved[j], along[i] = 1.0, 1.0
    if by_velocity:
        return force_change(model, work, still, moved, along)
    return force_change(model, work, moved, still, along)


@kernel
def _solve(model, work, J_a, row, column):
    """Write the column of the Jacobian whose right-hand side is in work.large_vector."""
    lu_solve(work.large, work.large_pivots, work.large_vector, model.n + model.m)
    for i in range(model.n):
        J_a[row + i, column] = work.large_vector[i]


@entry
def dependent_dynamics(model, work, a, q, qd, qdd, forces, e, J_a, row):
    """Error qdd(q, qd, forces) - qdd (n), at positions that need not be closed.

    q, qd, qdd, forces: where they begin; forces, on the degrees of freedom, -1: no variable
    (forward dynamics under work.forces).  With K = [M, phi_q^T; phi_q, 0], the exact derivatives:

        K [dqdd; dlam] = [Q_q - sum_k lam_k phi_qq,k; -phi_qq qdd - (phi_q_dot)_q qd] dq
                         + [Q_qd; -2 phi_q_dot] dqd + [1; 0] dforces

    Returns False where K is singular.  Source: Blanco-Claraco et al. 2021, Eqs. (5), (26), (28).
    """
    n, m, right = model.n, model.m, work.large_vector
    for i in range(n):
        work.q[i], work.qd[i] = a[q + i], a[qd + i]
    if forces >= 0:
        for k in range(model.g):
            work.forces[k] = a[forces + k]
    if not accelerations(model, work):
        return False
    for i in range(n):
        e[row + i] = work.qdd[i] - a[qdd + i]
        J_a[row + i, qdd + i] = -1.0
    curvature(model, work.q, work.lam, work.tangent)
    second(model, work.q, work.qd, work.phi_q_dot)
    second(model, work.q, work.qdd, work.phi_qq_qdd)
    third(model, work.q, work.qd, work.qd, work.phi_q_dot_q_qd)
    loaded = model.forces + model.curves + model.elements + work.loads > 0
    for j in range(n):
        for i in range(n):
            right[i] = -work.tangent[i, j]
            if loaded:
                right[i] += _change_of_force(model, work, i, j, False)
        for k in range(m):
            right[n + k] = -work.phi_qq_qdd[k, j] - work.phi_q_dot_q_qd[k, j]
        _solve(model, work, J_a, row, q + j)
        for i in range(n):
            right[i] = _change_of_force(model, work, i, j, True) if loaded else 0.0
        for k in range(m):
            right[n + k] = -2.0 * work.phi_q_dot[k, j]
        _solve(model, work, J_a, row, qd + j)
    if forces >= 0:
        for j in range(model.g):
            for i in range(n + m):
                right[i] = 1.0 if i == model.independent[j] else 0.0
            _solve(model, work, J_a, row, forces + j)
    return True


@kernel
def put_at(model, work, a, z, zd):
    """Solve the position problem for z of a node from work.q, which decides the branch.

    Writes work.z, zd.  Returns False if the mechanism cannot be moved there; work.q is then where
    it was, or between.
    """
    for k in range(model.g):
        work.z[k], work.zd[k] = a[z + k], a[zd + k]
    return reach_position(model, work)


@entry
def independent_dynamics(model, work, a, z, zd, zdd, forces, e, J_a, row):
    """Error zdd(z, zd, forces) - zdd (g), the mechanism closed from work.q on.

    z, zd, zdd, forces: where they begin; forces -1: no variable (forward dynamics under
    work.forces).  Derivatives: A, B, -1, M_bar^-1.  Returns False where there is no such position.
    Source: Blanco-Claraco et al. 2021, Eqs. (27), (29).
    """
    if forces >= 0:
        for k in range(model.g):
            work.forces[k] = a[forces + k]
    if not put_at(model, work, a, z, zd) or not forward_dynamics(model, work):
        return False
    linearise(model, work)
    force_derivative(model, work, work.zdd_force)
    for i in range(model.g):
        e[row + i] = work.zdd[i] - a[zdd + i]
        J_a[row + i, zdd + i] = -1.0
        for k in range(model.g):
            J_a[row + i, z + k], J_a[row + i, zd + k] = work.A[i, k], work.B[i, k]
            if forces >= 0:
                J_a[row + i, forces + k] = work.zdd_force[i, k]
    return True
