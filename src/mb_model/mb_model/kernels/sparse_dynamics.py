"""Forward and inverse dynamics of large mechanisms: Lagrange's equations, without R."""

from math import isfinite

from mb_model.jit import kernel
from mb_model.kernels.acceleration import solve_acceleration
from mb_model.kernels.equations_of_motion import subtract_inertia
from mb_model.kernels.forces import generalized_forces
from mb_model.kernels.step_state import note_forces
from mb_model.kernels.storage import (
    add_row,
    apply_s_transposed,
    rate_products,
    solve_augmented,
)
from mb_model.kernels.velocity import solve_velocity


@kernel
def forward_dynamics(model, work):
    """At work.q (solved), zd, forces: write qd, Q, qdd and zdd.

        [M, phi_q^T; phi_q, 0] [qdd; lam] = [Q; -phi_q_dot qd]

    Returns False at a singular position or if the result is not finite.
    """
    n, g, right = model.n, model.g, work.large_vector
    if not solve_velocity(model, work):
        return False
    generalized_forces(model, work)
    rate_products(model, work, work.phi_bias)
    for row in range(n):
        right[row] = work.Q[row]
    for k in range(g):
        right[model.independent[k]] += work.forces[k]
    note_forces(model, work)
    for k in range(model.m):
        right[n + k] = -work.phi_bias[k]
    if not solve_augmented(model, work, right):
        return False
    total = 0.0
    for row in range(n):
        work.qdd[row] = right[row]
        total += right[row]
    for k in range(g):
        work.zdd[k] = work.qdd[model.independent[k]]
    return isfinite(total)


@kernel
def solve_multipliers(model, work):
    """After forward_dynamics: write work.lam, which it has solved for as well."""
    for k in range(model.m):
        work.lam[k] = work.large_vector[model.n + k]


@kernel
def balance(model, work, formulation):
    """Forward dynamics and the multipliers, by the same equations whatever the formulation."""
    if not forward_dynamics(model, work):
        return False
    solve_multipliers(model, work)
    return True


@kernel
def inverse_dynamics(model, work, formulation):
    """At work.q (solved), zd, zdd: write work.forces (g), what the motion needs beside the model's.

    M qdd + phi_q^T lam = Q + forces: the dependent rows give lam, the others the forces, whatever
    the formulation.  Returns False at a singular position.
    """
    if not solve_acceleration(model, work):
        return False
    generalized_forces(model, work)
    unbalanced = work.unbalanced
    subtract_inertia(model, work, work.qdd, unbalanced)
    apply_s_transposed(model, work, unbalanced, work.lam)
    for k in range(model.m):
        add_row(model, work, k, -work.lam[k], unbalanced)
    for k in range(model.g):
        work.forces[k] = -unbalanced[model.independent[k]]
    return True


@kernel
def not_offered(model, work):
    """Stand in for formulations in independent or joint coordinates, and the closed form."""
    return False


@kernel
def no_joints(model, work, h, assumed):
    """Stand in for the correction of joint coordinates: go on by substitution."""
    return True
