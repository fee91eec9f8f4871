"""Accelerations from positions and velocities, by the formulation of the equations of motion."""

from math import isfinite

from numba import int64, njit

from mb_model.kernels.constraints import evaluate, second
from mb_model.kernels.forces import generalized_forces
from mb_model.kernels.linear_algebra import (
    cholesky_factor,
    cholesky_solve,
    lu_factor,
    lu_solve,
)
from mb_model.kernels.matrix_r import forward_dynamics
from mb_model.kernels.position import SOLVED, solve_position
from mb_model.kernels.velocity import solve_velocity
from mb_model.record import MODEL, WORK
from mb_model.separate import separate

MATRIX_R = 0
COORDINATE_PARTITIONING = 1
PENALTY = 2
LAGRANGE = 3

# Both let a violation of the constraints decay like exp(-t / 0.1 s), critically damped.
NATURAL_FREQUENCY = 10.0      # of the penalty method, and of Baumgarte's stabilisation [1/s]
DAMPING_RATIO = 1.0


@njit(cache=True)
def integrates_all(formulation):
    """Return whether all coordinates are integrated; else the degrees of freedom alone."""
    return formulation in (PENALTY, LAGRANGE)


@njit(cache=True)
def _partitioned(model, work):
    """Solve [phi_q; R^T M] qdd = [-phi_q_dot qd; R^T Q].

    Source: Pyrhonen et al. 2023a, Eq. (1).
    """
    n, m, g = model.n, model.m, model.g
    _forces_and_rates(model, work)
    matrix, right = work.large, work.large_vector
    for row in range(m):
        right[row] = -work.vector1[row]
        for column in range(n):
            matrix[row, column] = work.phi_q[row, column]
    for k in range(g):
        total = 0.0
        for row in range(n):
            total += work.R[row, k] * work.Q[row]
        right[m + k] = total
        for column in range(n):
            total = 0.0
            for row in range(n):
                total += work.R[row, k] * work.M[row, column]
            matrix[m + k, column] = total
    return _solve_large(model, work, n)


@njit(cache=True)
def _lagrange(model, work):
    """Solve [M, phi_q^T; phi_q, 0] [qdd; lam] = [Q; c], with Baumgarte's stabilisation

        c = -phi_q_dot qd - 2 xi omega phi_q qd - omega^2 phi

    Writes lam as well.  Source: Blanco-Claraco et al. 2021, Eq. (5); Baumgarte 1972.
    """
    n, m = model.n, model.m
    evaluate(model, work.q, work.phi, work.phi_q)
    _forces_and_rates(model, work)
    matrix, right = work.large, work.large_vector
    for row in range(n):
        right[row] = work.Q[row]
        for column in range(n):
            matrix[row, column] = work.M[row, column]
    for k in range(m):
        right[n + k] = -work.vector1[k] - _stabilisation(model, work, k)
        for column in range(n):
            matrix[n + k, column] = matrix[column, n + k] = work.phi_q[k, column]
        for column in range(m):
            matrix[n + k, n + column] = 0.0
    if not _solve_large(model, work, n + m):
        return False
    for k in range(m):
        work.lam[k] = right[n + k]
    return True


@njit(cache=True)
def _penalty(model, work):
    """Solve (M + phi_q^T alpha phi_q) qdd = Q - phi_q^T alpha (phi_q_dot qd + stabilisation).

    alpha is model.stiffness.  Source: Bayo, Garcia de Jalon and Serna 1988.
    """
    n = model.n
    evaluate(model, work.q, work.phi, work.phi_q)
    _forces_and_rates(model, work)
    for row in range(n):
        work.qdd[row] = work.Q[row]
        for column in range(row + 1):
            work.tangent[row, column] = work.M[row, column]
    for k in range(model.m):
        violation = work.vector1[k] + _stabilisation(model, work, k)
        work.lam[k] = 0.0
        for row in range(n):
            scaled = model.stiffness[k] * work.phi_q[k, row]
            if scaled != 0.0:
                work.qdd[row] -= scaled * violation
                for column in range(row + 1):
                    work.tangent[row, column] += scaled * work.phi_q[k, column]
    if not cholesky_factor(work.tangent, n):
        return False
    cholesky_solve(work.tangent, work.qdd, n)
    return True


@njit(cache=True)
def _forces_and_rates(model, work):
    """Write Q with the forces on the degrees of freedom, phi_q_dot, and phi_q_dot qd to vector1."""
    generalized_forces(model, work.q, work.qd, work.Q)
    for k in range(model.g):
        work.Q[model.independent[k]] += work.forces[k]
    second(model, work.q, work.qd, work.phi_q_dot)
    for row in range(model.m):
        total = 0.0
        for column in range(model.n):
            total += work.phi_q_dot[row, column] * work.qd[column]
        work.vector1[row] = total


@njit(cache=True)
def _stabilisation(model, work, k):
    """Return 2 xi omega phi_q qd + omega^2 phi of equation k."""
    rate = 0.0
    for column in range(model.n):
        rate += work.phi_q[k, column] * work.qd[column]
    return NATURAL_FREQUENCY * (2.0 * DAMPING_RATIO * rate + NATURAL_FREQUENCY * work.phi[k])


@njit(cache=True)
def _solve_large(model, work, size):
    """Solve large x = large_vector in place; its first n are qdd."""
    if lu_factor(work.large, work.large_pivots, size) == 0.0:
        return False
    lu_solve(work.large, work.large_pivots, work.large_vector, size)
    for row in range(model.n):
        work.qdd[row] = work.large_vector[row]
    return True


@separate(MODEL, WORK, int64)
def accelerations(model, work, formulation):
    """At work.q, qd (of the integrated coordinates), forces: write qdd, z, zd, zdd, and q, qd.

    Returns False where they cannot be found; work is not to be relied on then.
    """
    for k in range(model.g):
        coordinate = model.independent[k]
        work.z[k], work.zd[k] = work.q[coordinate], work.qd[coordinate]
        work.forces_used[k] = work.forces[k]
    if formulation == MATRIX_R:
        return solve_position(model, work) == SOLVED and forward_dynamics(model, work)
    if formulation == COORDINATE_PARTITIONING:
        solved = (solve_position(model, work) == SOLVED and solve_velocity(model, work)
                  and _partitioned(model, work))
    elif formulation == PENALTY:
        solved = _penalty(model, work)
    else:
        solved = _lagrange(model, work)
    total = 0.0
    for row in range(model.n):
        total += work.qdd[row]
    for k in range(model.g):
        work.zdd[k] = work.qdd[model.independent[k]]
    return solved and isfinite(total)
