"""Coordinate partitioning: the accelerations of all coordinates from one system of equations."""

from mb_model.formulations.formulation import FormulationKind, Integrates
from mb_model.jit import kernel
from mb_model.kernels.acceleration import solve_acceleration
from mb_model.kernels.equations_of_motion import (
    forces_and_rates,
    solve_large,
    subtract_inertia,
)
from mb_model.kernels.linear_algebra import cholesky_factor
from mb_model.kernels.matrix_r import reduce_mass, solve_multipliers
from mb_model.kernels.position import SOLVED, solve_position
from mb_model.kernels.step_state import begin_accelerations, end_accelerations
from mb_model.kernels.velocity import solve_velocity


@kernel
def accelerations(model, work):
    """At positions and rates of the degrees of freedom, forces: write all of q, qd, qdd, zdd.

    Returns False where they cannot be solved for.
    """
    begin_accelerations(model, work)
    solved = (solve_position(model, work) == SOLVED and solve_velocity(model, work)
              and _solve(model, work))
    return end_accelerations(model, work, solved)


@kernel
def _solve(model, work):
    """After solve_velocity: solve [phi_q; R^T M] qdd = [-phi_q_dot qd; R^T Q]; write qdd.

    M_R, M_bar and its factor are written as well: linearise reads them.  Returns False if they are
    singular.  Source: Pyrhonen et al. 2023a, Eq. (1).
    """
    n, m, g = model.n, model.m, model.g
    forces_and_rates(model, work)
    matrix, right = work.large, work.large_vector
    for row in range(m):
        right[row] = -work.phi_bias[row]
        for column in range(n):
            matrix[row, column] = work.phi_q[row, column]
    reduce_mass(model, work)
    for k in range(g):
        total = 0.0
        for row in range(n):
            total += work.R[row, k] * work.Q[row]
            matrix[m + k, row] = work.M_R[row, k]
        right[m + k] = total
        for j in range(k + 1):
            work.M_bar_factor[k, j] = work.M_bar[k, j]
    if not (cholesky_factor(work.M_bar_factor, g) and solve_large(work, n)):
        return False
    for row in range(n):
        work.qdd[row] = right[row]
    return True


@kernel
def inverse(model, work):
    """At work.q (solved), zd, zdd: write forces = R^T (M qdd - Q).  False at a singular position.

    qdd is of the acceleration problem.
    """
    if not solve_acceleration(model, work):
        return False
    for k in range(model.g):
        work.forces[k] = 0.0
    forces_and_rates(model, work)
    subtract_inertia(model, work, work.qdd, work.unbalanced)
    for k in range(model.g):
        for row in range(model.n):
            work.forces[k] -= work.R[row, k] * work.unbalanced[row]
    return True


FORMULATION = FormulationKind(
    'coordinate_partitioning', 'all accelerations in one system', Integrates.INDEPENDENT,
    accelerations, inverse, multipliers=solve_multipliers)
