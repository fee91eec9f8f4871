"""Dynamics in the degrees of freedom, every kind of force by itself."""


from mb_model.jit import entry, kernel
from mb_model.kernels.constraint_products import bilinear
from mb_model.kernels.forces import generalized_forces
from mb_model.kernels.mass import add_gravity
from mb_model.kernels.matrix_r import reduce_mass
from mb_model.kernels.transformation import apply_s
from mb_model.kernels.velocity import solve_velocity

_bilinear, _forces, _solve_velocity = bilinear, generalized_forces, solve_velocity


@kernel
def _reduce(model, work, factor, out):
    """Write out = factor R^T Q (g)."""
    for k in range(model.g):
        out[k] = 0.0
        for row in range(model.n):
            out[k] += factor * work.R[row, k] * work.Q[row]


@kernel
def _write_coriolis(model, work, coriolis):
    """Write C = R^T M R_dot, with R_dot = -S phi_q_dot R from phi_q_dot R + phi_q R_dot = 0."""
    direction, turn, right = work.along, work.other, work.right
    for k in range(model.g):
        for row in range(model.n_total):
            direction[row] = work.R[row, k]
        _bilinear(model, work.q, work.qd, direction, right)
        for row in range(model.m):
            right[row] = -right[row]
        apply_s(model, work, right, turn)
        for j in range(model.g):
            coriolis[j, k] = 0.0
            for row in range(model.n):
                coriolis[j, k] += work.M_R[row, j] * turn[row]


@kernel
def _write_forces(model, work, gravity, friction, other):
    """Write the forces that gravity, what vanishes at rest, and the others need (g each)."""
    moving = work.moving
    for row in range(model.n_total):
        work.Q[row] = 0.0
    add_gravity(model, work.Q)
    _reduce(model, work, -1.0, gravity)
    _forces(model, work)
    _reduce(model, work, -1.0, friction)
    for row in range(model.n_total):
        moving[row], work.qd[row] = work.qd[row], 0.0
    _forces(model, work)
    _reduce(model, work, -1.0, other)
    for row in range(model.n_total):
        work.qd[row] = moving[row]
    for k in range(model.g):
        friction[k] -= other[k]
        other[k] -= gravity[k]


@entry
def operational_space(models, works, coriolis, gravity, friction, other):
    """At work.q (solved), zd: write qd, R, M_bar and the arguments, C (g, g), the others (g).

    M_bar zdd + C zd + gravity + friction + other = forces from outside, d(M_bar)/dt = C + C^T.
    Returns False at a singular position.  Source: Mohammad et al. 2025, Eq. (2).
    """
    model, work = models[0], works[0]
    if not _solve_velocity(model, work):
        return False
    reduce_mass(model, work)
    _write_coriolis(model, work, coriolis)
    _write_forces(model, work, gravity, friction, other)
    return True
