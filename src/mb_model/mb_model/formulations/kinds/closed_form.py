"""Accelerations of dependent coordinates in closed form, by the inverse of the mass matrix.

    qdd = (M^-1 - M^-1 phi_q^T G^-1 phi_q M^-1) Q + M^-1 phi_q^T G^-1 c,    G = phi_q M^-1 phi_q^T

Coordinates without mass (angles, further points of a body) make M singular.  So M and Q are
replaced by M + phi_q^T alpha phi_q and Q + phi_q^T alpha c, which changes nothing where
phi_q qdd = c, for any alpha > 0; here alpha weighs as much as the mass.  With M = L L^T and
Y = L^-1 phi_q^T, G is Y^T Y.  Source: Blanco-Claraco et al. 2021, Eqs. (6) and (7).
"""

from mb_model.formulations.formulation import FormulationKind, Integrates
from mb_model.formulations.stabilisation import StabilisationSettings
from mb_model.jit import kernel
from mb_model.kernels.constraints import evaluate
from mb_model.kernels.equations_of_motion import forces_and_rates, stabilise
from mb_model.kernels.linear_algebra import (
    cholesky_factor,
    cholesky_solve,
    solve_lower,
    solve_lower_transposed,
)
from mb_model.kernels.step_state import begin_accelerations, end_accelerations
from mb_model.kernels.velocity import solve_velocity
from mb_model.record import PENALTY


@kernel
def accelerations(model, work):
    """At work.q, qd, forces: write qdd, lam, z, zd, zdd; c is as in kinds.lagrange.

    Returns False if M or G is not positive definite.
    """
    begin_accelerations(model, work)
    evaluate(model, work.q, work.phi, work.phi_q)
    solved = _prepare(model, work) and _solve(model, work, model.m)
    if solved:
        for k in range(model.m):
            work.lam[k] = work.large_vector[k]
    return end_accelerations(model, work, solved)


@kernel
def inverse(model, work):
    """At work.q (solved), zd, zdd: write forces, lam, qd, qdd.

    The degrees of freedom take part like constraints: phi_q is extended by B, which picks them, c
    by zdd, lam by -forces.  Returns False at a singular position.
    """
    m, g = model.m, model.g
    if not solve_velocity(model, work):
        return False
    for k in range(g):
        work.forces[k] = 0.0
    if not _prepare(model, work):
        return False
    for k in range(g):
        for column in range(model.n):
            work.schur_rows[m + k, column] = 0.0
        work.schur_rows[m + k, model.independent[k]] = 1.0
        work.large_vector[m + k] = work.zdd[k]
    if not _solve(model, work, m + g):
        return False
    for k in range(m):
        work.lam[k] = work.large_vector[k]
    for k in range(g):
        work.forces[k] = -work.large_vector[m + k]
    return True


@kernel
def _prepare(model, work):
    """Write L to tangent, c to large_vector, Q + phi_q^T alpha c to qdd, phi_q to schur_rows."""
    forces_and_rates(model, work)
    stabilise(model, work)
    for row in range(model.n):
        work.qdd[row] = work.Q[row]
        for column in range(row + 1):
            work.tangent[row, column] = work.M[row, column]
    for k in range(model.m):
        c, weight = -work.phi_bias[k], model.stiffness[k] / PENALTY
        work.large_vector[k] = c
        for row in range(model.n):
            work.schur_rows[k, row] = work.phi_q[k, row]
            scaled = weight * work.phi_q[k, row]
            if scaled != 0.0:
                work.qdd[row] += scaled * c
                for column in range(row + 1):
                    work.tangent[row, column] += scaled * work.phi_q[k, column]
    return cholesky_factor(work.tangent, model.n)


@kernel
def _solve(model, work, rows):
    """Solve M qdd + W^T x = Q, W qdd = c, W being `rows` of schur_rows; write x over c, and qdd.

    schur_rows becomes Y^T, large the factor of G.
    """
    n, y, x = model.n, work.schur_rows, work.large_vector
    solve_lower(work.tangent, work.qdd, n)
    for k in range(rows):
        solve_lower(work.tangent, y[k], n)
        total = -x[k]
        for row in range(n):
            total += y[k, row] * work.qdd[row]
        x[k] = total
        for j in range(k + 1):
            total = 0.0
            for row in range(n):
                total += y[k, row] * y[j, row]
            work.large[k, j] = total
    if not cholesky_factor(work.large, rows):
        return False
    cholesky_solve(work.large, x, rows)
    for k in range(rows):
        for row in range(n):
            work.qdd[row] -= y[k, row] * x[k]
    solve_lower_transposed(work.tangent, work.qdd, n)
    return True


FORMULATION = FormulationKind(
    'closed_form', 'by the inverse of the mass matrix, stabilised', Integrates.COORDINATES,
    accelerations, inverse, Settings=StabilisationSettings)
