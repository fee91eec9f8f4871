"""Forward and inverse dynamics in the independent coordinates: the matrix-R formulation."""

from math import isfinite

from mb_model.jit import kernel, separate
from mb_model.kernels import dense_in_space
from mb_model.kernels.acceleration import (
    apply_acceleration,
    prepare_acceleration,
    solve_acceleration,
)
from mb_model.kernels.equations_of_motion import subtract_inertia
from mb_model.kernels.forces import generalized_forces
from mb_model.kernels.linear_algebra import cholesky_factor, cholesky_solve
from mb_model.kernels.listed_lu import by_dimension
from mb_model.kernels.products import congruence_of_columns
from mb_model.kernels.rolling import hold_contacts
from mb_model.kernels.step_state import note_forces
from mb_model.kernels.storage import multiply_mass
from mb_model.kernels.transformation import apply_s_transposed
from mb_model.kernels.velocity import solve_velocity
from mb_model.record import MODEL, WORK


@kernel
def _reduce_full_mass(model, work):
    congruence_of_columns(work.R, work.M, model.g, model.n, work.M_R, work.M_bar)


reduce_mass = by_dimension(_reduce_full_mass, dense_in_space.reduce_mass)


@separate(MODEL, WORK)
def reduce_dynamics(model, work):
    """At work.q, qd, R, sc: write work.Q, M_R = M R, M_bar = R^T M R, its factor, and Q_bar.

    Q_bar = R^T (Q - M S c) + forces.  Returns False if M_bar is not positive definite.
    Source: Rodriguez et al. 2023, Eq. (20).
    """
    n, g = model.n, model.g
    generalized_forces(model, work)
    net = work.net_force
    # As lines here: a call of subtract_inertia costs 4 % of the forward dynamics of a linkage.
    multiply_mass(model, work, work.sc, net)
    for row in range(n):
        net[row] = work.Q[row] - net[row]
    reduce_mass(model, work)
    for k in range(g):
        total = work.forces[k]
        for row in range(n):
            total += work.R[row, k] * net[row]
        work.Q_bar[k] = total
        for j in range(k + 1):
            work.M_bar_factor[k, j] = work.M_bar[k, j]
    return cholesky_factor(work.M_bar_factor, g)


@separate(MODEL, WORK)
def solve_accelerations(model, work):
    """At work.q, qd, forces, after prepare_velocity: write zdd, qdd, all of reduce_dynamics.

    Bodies that roll are pushed by tractions, see kernels.rolling.  Returns False without a
    positive definite M_bar, or if the result is not finite.
    """
    prepare_acceleration(model, work)
    if not reduce_dynamics(model, work):
        return False
    for k in range(model.g):
        work.zdd[k] = work.Q_bar[k]
    note_forces(model, work)
    cholesky_solve(work.M_bar_factor, work.zdd, model.g)
    if model.rolls > 0:
        hold_contacts(model, work)
    apply_acceleration(model, work)
    total = 0.0
    for k in range(model.g):
        total += work.zdd[k]
    return isfinite(total)


@separate(MODEL, WORK)
def forward_dynamics(model, work):
    """At work.q (solved), zd, forces: write qd, zdd, qdd and all that reduce_dynamics writes.

    M_bar zdd = Q_bar.  Returns False at a singular position, without a positive definite M_bar,
    or if the result is not finite.
    """
    return solve_velocity(model, work) and solve_accelerations(model, work)


@separate(MODEL, WORK, WORK['forces'])
def inverse_dynamics(model, work, force):
    """At work.q (solved), zd, zdd: write force (g), what the motion needs on z beside the model's.

    force = M_bar zdd - R^T (Q - M S c).  work.forces is set to it.  Returns False like
    forward_dynamics.
    """
    for k in range(model.g):
        work.forces[k] = 0.0
    if not solve_acceleration(model, work) or not reduce_dynamics(model, work):
        return False
    for k in range(model.g):
        total = -work.Q_bar[k]
        for j in range(model.g):
            total += work.M_bar[k, j] * work.zdd[j]
        force[k] = work.forces[k] = total
    return True


@kernel
def unbalanced_part(model, work, out):
    """After forward_dynamics: write out = S^T (Q - M qdd) (m)."""
    subtract_inertia(model, work, work.qdd, work.unbalanced)
    apply_s_transposed(model, work, work.unbalanced, out)


@separate(MODEL, WORK)
def solve_multipliers(model, work):
    """After forward_dynamics: write work.lam = S^T (Q - M qdd), so M qdd + phi_q^T lam = Q."""
    unbalanced_part(model, work, work.lam)
