"""Lagrange's equations of the first kind: accelerations and multipliers together."""

from mb_model.formulations.formulation import FormulationKind, Integrates
from mb_model.formulations.stabilisation import StabilisationSettings
from mb_model.jit import kernel
from mb_model.kernels.acceleration import solve_acceleration
from mb_model.kernels.equations_of_motion import (
    forces_and_rates,
    solve_large,
    stabilise,
    subtract_inertia,
)
from mb_model.kernels.step_state import begin_accelerations, end_accelerations
from mb_model.kernels.storage import evaluate, solve_augmented


@kernel
def accelerations(model, work):
    """At work.q, qd, forces: write qdd, lam, z, zd, zdd.  Returns False if that is singular."""
    begin_accelerations(model, work)
    return end_accelerations(model, work, solve(model, work))


@kernel
def solve(model, work):
    """At work.q, qd, forces: solve [M, phi_q^T; phi_q, 0] [qdd; lam] = [Q; c]; write qdd, lam.

        c = -phi_q_dot qd - 2 xi omega phi_q qd - omega^2 phi

    Returns False if it is singular.  Source: Blanco-Claraco et al. 2021, Eq. (5).
    """
    n, m = model.n, model.m
    evaluate(model, work)
    forces_and_rates(model, work)
    stabilise(model, work)
    right = work.large_vector
    for row in range(n):
        right[row] = work.Q[row]
    for k in range(m):
        right[n + k] = -work.phi_bias[k]
    if not solve_augmented(model, work, right):
        return False
    for row in range(n):
        work.qdd[row] = right[row]
    for k in range(m):
        work.lam[k] = right[n + k]
    return True


@kernel
def inverse(model, work):
    """At work.q (solved), zd, zdd: solve [phi_q^T, -B^T] [lam; forces] = Q - M qdd.

    B picks the degrees of freedom out of the coordinates.  Writes lam, forces, qd, qdd; returns
    False at a singular position.
    """
    n, m, g = model.n, model.m, model.g
    if not solve_acceleration(model, work):
        return False
    for k in range(g):
        work.forces[k] = 0.0
    forces_and_rates(model, work)
    subtract_inertia(model, work, work.qdd, work.large_vector)
    for row in range(n):
        for k in range(m):
            work.large[row, k] = work.phi_q[k, row]
        for k in range(g):
            work.large[row, m + k] = 0.0
    for k in range(g):
        work.large[model.independent[k], m + k] = -1.0
    if not solve_large(work, n):
        return False
    for k in range(m):
        work.lam[k] = work.large_vector[k]
    for k in range(g):
        work.forces[k] = work.large_vector[m + k]
    return True


FORMULATION = FormulationKind(
    'lagrange', "Lagrange multipliers and Baumgarte's stabilisation", Integrates.COORDINATES,
    accelerations, inverse, Settings=StabilisationSettings, sparse_dimensions=(2, 3))
