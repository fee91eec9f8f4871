"""Dynamics factor in independent coordinates, forward and inverse."""


from mb_model.jit import entry, kernel
from mb_model.kernel_api import force_derivative, forward_dynamics, linearise, reach_position


@kernel
def place(model, work, a, z, zd):
    """Solve the position problem for z of a node from work.q, which decides the branch.

    Writes work.z, zd.  Returns False if the mechanism cannot be moved there; work.q is then where
    it was, or on the way.
    """
    for k in range(model.g):
        work.z[k], work.zd[k] = a[z + k], a[zd + k]
    return reach_position(model, work)


@entry
def independent_dynamics(model, work, a, z, zd, zdd, forces, e, J_a, row):
    """Error zdd(z, zd, forces) - zdd (g), the mechanism closed from work.q on.

    z, zd, zdd, forces: places in the node; forces -1: no variable (forward dynamics under
    work.forces).  Derivatives: A, B, -1, M_bar^-1.  Returns False where there is no such position.
    Source: Blanco-Claraco et al. 2021, Eqs. (27), (29).
    """
    if forces >= 0:
        for k in range(model.g):
            work.forces[k] = a[forces + k]
    if not place(model, work, a, z, zd) or not forward_dynamics(model, work):
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
