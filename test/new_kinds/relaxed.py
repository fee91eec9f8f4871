"""A formulation of another package: Lagrange multipliers, constraints that yield a very little."""

from mb_model import StabilisationSettings
from mb_model.jit import kernel
from mb_model.kernel_api import (
    begin_accelerations,
    end_accelerations,
    evaluate_equations,
    forces_and_rates,
    inverse_dynamics,
    solve_large,
    stabilise,
)
from mb_model.kind_api import FormulationKind, Integrates

_COMPLIANCE = 1e-11


@kernel
def accelerations(model, work):
    """Solve [M, phi_q^T; phi_q, -compliance] [qdd; lam] = [Q; c]; write qdd, lam, z, zd, zdd."""
    begin_accelerations(model, work)
    evaluate_equations(model, work)
    forces_and_rates(model, work)
    stabilise(model, work)
    n, m, matrix, right = model.n, model.m, work.large, work.large_vector
    for row in range(n):
        right[row] = work.Q[row]
        for column in range(n):
            matrix[row, column] = work.M[row, column]
    for k in range(m):
        right[n + k] = -work.phi_bias[k]
        for row in range(n):
            matrix[row, n + k] = matrix[n + k, row] = work.phi_q[k, row]
        for column in range(m):
            matrix[n + k, n + column] = -_COMPLIANCE if k == column else 0.0
    solved = solve_large(work, n + m)
    for row in range(n):
        work.qdd[row] = right[row]
    for k in range(m):
        work.lam[k] = right[n + k]
    return end_accelerations(model, work, solved)


@kernel
def inverse(model, work):
    """Write work.forces for work.zdd."""
    return inverse_dynamics(model, work, work.forces)


FORMULATION = FormulationKind('relaxed', 'constraints that yield a very little',
                              Integrates.COORDINATES, accelerations, inverse,
                              Settings=StabilisationSettings)
