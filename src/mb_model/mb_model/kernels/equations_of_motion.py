"""Parts of the equations of motion that several formulations have in them."""

from mb_model.jit import kernel
from mb_model.kernels.forces import all_forces
from mb_model.kernels.linear_algebra import lu_factor, lu_solve
from mb_model.kernels.storage import multiply_mass, rate_products, row_product
from mb_model.kernels.time import add_driven


@kernel
def forces_and_rates(model, work):
    """Write Q with the forces on the degrees of freedom, and phi_q_dot qd + phi_tt to phi_bias."""
    all_forces(model, work)
    rate_products(model, work, work.phi_bias)


@kernel
def stabilise(model, work):
    """Add 2 xi omega (phi_q qd + phi_t) + omega^2 phi to work.phi_bias (m).

    It lets a violation decay as a spring-damper of the natural frequency omega and the damping
    ratio xi does.  Source: Baumgarte 1972.
    """
    omega, damping = work.natural_frequency, 2.0 * work.damping_ratio * work.natural_frequency
    for k in range(model.m):
        work.phi_bias[k] += (damping * row_product(model, work, k, work.qd)
                             + omega * omega * work.phi[k])
    add_driven(model, work.qd, -damping, work.phi_bias)


@kernel
def subtract_inertia(model, work, accelerations, out):
    """Write what inertia leaves of the forces: out = Q - M accelerations (n)."""
    multiply_mass(model, work, accelerations, out)
    for row in range(model.n):
        out[row] = work.Q[row] - out[row]


@kernel
def solve_large(work, size):
    """Solve large x = large_vector in place; return False if it is singular."""
    if lu_factor(work.large, work.large_pivots, size) == 0.0:
        return False
    lu_solve(work.large, work.large_pivots, work.large_vector, size)
    return True
