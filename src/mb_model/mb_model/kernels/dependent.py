"""What the formulations in dependent coordinates share: forces, rates, stabilisation."""


from mb_model.jit import kernel
from mb_model.kernels.forces import generalized_forces
from mb_model.kernels.linear_algebra import lu_factor, lu_solve
from mb_model.kernels.storage import rate_products, row_product
from mb_model.kernels.time import add_driven


@kernel
def forces_and_rates(model, work):
    """Write Q with the forces on the degrees of freedom, and phi_q_dot qd + phi_tt to vector1."""
    generalized_forces(model, work)
    for k in range(model.g):
        work.Q[model.independent[k]] += work.forces[k]
    rate_products(model, work, work.vector1)


@kernel
def stabilise(model, work):
    """Add 2 xi omega (phi_q qd + phi_t) + omega^2 phi to work.vector1 (m), the rates.

    It lets a violation decay as a spring-damper of the natural frequency omega and the damping
    ratio xi does.  Source: Baumgarte 1972.
    """
    omega, damping = work.natural_frequency, 2.0 * work.damping_ratio * work.natural_frequency
    for k in range(model.m):
        work.vector1[k] += (damping * row_product(model, work, k, work.qd)
                            + omega * omega * work.phi[k])
    add_driven(model, work.qd, -damping, work.vector1)


@kernel
def unbalanced_force(model, work, row):
    """Return Q - M qdd in coordinate `row`."""
    total = work.Q[row]
    for column in range(model.n):
        total -= work.M[row, column] * work.qdd[column]
    return total


@kernel
def solve_large(work, size):
    """Solve large x = large_vector in place; return False if it is singular."""
    if lu_factor(work.large, work.large_pivots, size) == 0.0:
        return False
    lu_solve(work.large, work.large_pivots, work.large_vector, size)
    return True
