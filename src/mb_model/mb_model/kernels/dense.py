"""The matrices of small mechanisms, stored in full: see storage."""


from mb_model.jit import kernel
from mb_model.kernels import constraints
from mb_model.kernels.constraint_products import bilinear
from mb_model.kernels.forces import add_slopes
from mb_model.kernels.linear_algebra import cholesky_factor, cholesky_solve, lu_factor, lu_solve
from mb_model.kernels.mass import mass_matrix
from mb_model.kernels.time import add_driven

_evaluate = constraints.evaluate


@kernel
def fill_mass_matrix(model, work):
    """Write work.M, which is constant."""
    mass_matrix(model, work.M)


@kernel
def evaluate(model, work):
    """Write work.phi and phi_q at work.q."""
    _evaluate(model, work.q, work.phi, work.phi_q)


@kernel
def rate_products(model, work, out):
    """Write phi_q_dot qd + phi_tt (m) at work.q, qd."""
    bilinear(model, work.q, work.qd, work.qd, out)
    add_driven(model, work.qdd, -1.0, out)


@kernel
def row_product(model, work, k, v):
    """Return row k of phi_q times v (n)."""
    total = 0.0
    for column in range(model.n):
        total += work.phi_q[k, column] * v[column]
    return total


@kernel
def add_row(model, work, k, factor, out):
    """Add factor times row k of phi_q to out (n)."""
    for column in range(model.n):
        out[column] += factor * work.phi_q[k, column]


@kernel
def multiply_mass(model, work, v, out):
    """Write out = M v (n)."""
    for row in range(model.n):
        total = 0.0
        for column in range(model.n):
            total += work.M[row, column] * v[column]
        out[row] = total


@kernel
def assemble_tangent(model, work, penalty, stiffness_share, damping_share):
    """Write M + shares of K and C + phi_q^T alpha phi_q, its lower triangle, to work.tangent.

    alpha is penalty times model.stiffness, K and C are stiffness and damping of the model's forces
    (see forces.add_slopes).
    """
    for row in range(model.n):
        for column in range(row + 1):
            work.tangent[row, column] = work.M[row, column]
    for k in range(model.m):
        for row in range(model.n):
            scaled = penalty * model.stiffness[k] * work.phi_q[k, row]
            if scaled != 0.0:
                for column in range(row + 1):
                    work.tangent[row, column] += scaled * work.phi_q[k, column]
    add_slopes(model, work, stiffness_share, damping_share, work.tangent)


@kernel
def factor_tangent(model, work, penalty, stiffness_share, damping_share):
    """Factorise what assemble_tangent writes; return False if it is not positive definite."""
    assemble_tangent(model, work, penalty, stiffness_share, damping_share)
    return cholesky_factor(work.tangent, model.n)


@kernel
def solve_tangent(model, work, b):
    """Solve tangent x = b (n) in place, after factor_tangent."""
    cholesky_solve(work.tangent, b, model.n)


@kernel
def solve_augmented(model, work, right):
    """Solve [M, phi_q^T; phi_q, 0] x = right (n + m) in place; return False if it is singular."""
    n, m, matrix = model.n, model.m, work.large
    for row in range(n):
        for column in range(n):
            matrix[row, column] = work.M[row, column]
    for k in range(m):
        for column in range(n):
            matrix[n + k, column] = matrix[column, n + k] = work.phi_q[k, column]
        for column in range(m):
            matrix[n + k, n + column] = 0.0
    if lu_factor(matrix, work.large_pivots, n + m) == 0.0:
        return False
    lu_solve(matrix, work.large_pivots, right, n + m)
    return True
