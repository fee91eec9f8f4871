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
from mb_model.kernels.dependent import forces_and_rates, stabilise
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
    """At work.q, qd, forces: write qdd, lam, z, zd, zdd; c is that of kinds.lagrange.

    Returns False if M or G is not positive definite.
    """
    begin_accelerations(model, work)
    evaluate(model, work.q, work.phi, work.phi_q)
    solved = _prepare(model, work) and _solve(model, work, model.m)
    if solved:
        for k in range(model.m):
            work.lam[k] = work.vector3[k]
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
            work.matrix1[m + k, column] = 0.0
        work.matrix1[m + k, model.independent[k]] = 1.0
        work.vector1[m + k] = work.zdd[k]
    if not _solve(model, work, m + g):
        return False
    for k in range(m):
        work.lam[k] = work.vector3[k]
    for k in range(g):
        work.forces[k] = -work.vector3[m + k]
    return True


@kernel
def _prepare(model, work):
    """Write L to tangent, c to vector1, Q + phi_q^T alpha c to qdd, phi_q to matrix1."""
    forces_and_rates(model, work)
    stabilise(model, work)
    for row in range(model.n):
        work.qdd[row] = work.Q[row]
        for column in range(row + 1):
            work.tangent[row, column] = work.M[row, column]
    for k in range(model.m):
        work.vector1[k] = -work.vector1[k]
        weight = model.stiffness[k] / PENALTY
        for row in range(model.n):
            work.matrix1[k, row] = work.phi_q[k, row]
            scaled = weight * work.phi_q[k, row]
            if scaled != 0.0:
                work.qdd[row] += scaled * work.vector1[k]
                for column in range(row + 1):
                    work.tangent[row, column] += scaled * work.phi_q[k, column]
    return cholesky_factor(work.tangent, model.n)


@kernel
def _solve(model, work, rows):
    """Solve M qdd + W^T x = Q, W qdd = c, W being `rows` of matrix1; write x to vector3, and qdd.

    matrix1 becomes Y^T, matrix2 the factor of G.
    """
    n, y, x = model.n, work.matrix1, work.vector3
    solve_lower(work.tangent, work.qdd, n)
    for k in range(rows):
        solve_lower(work.tangent, y[k], n)
        total = -work.vector1[k]
        for row in range(n):
            total += y[k, row] * work.qdd[row]
        x[k] = total
        for j in range(k + 1):
            total = 0.0
            for row in range(n):
                total += y[k, row] * y[j, row]
            work.matrix2[k, j] = total
    if not cholesky_factor(work.matrix2, rows):
        return False
    cholesky_solve(work.matrix2, x, rows)
    for k in range(rows):
        for row in range(n):
            work.qdd[row] -= y[k, row] * x[k]
    solve_lower_transposed(work.tangent, work.qdd, n)
    return True


FORMULATION = FormulationKind(
    'closed_form', 'by the inverse of the mass matrix, stabilised', Integrates.COORDINATES,
    accelerations, inverse, Settings=StabilisationSettings)
