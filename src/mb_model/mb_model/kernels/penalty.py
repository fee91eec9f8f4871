"""Penalty method and augmented Lagrangian: violated constraints push back.

    (M + phi_q^T alpha phi_q) qdd = Q - phi_q^T (lam + alpha (phi_q_dot qd + stabilisation))

One pass with lam = 0 is the penalty method; its accelerations violate the constraints by the
mass against the penalty.  Further passes with lam += alpha (phi_q qdd + phi_q_dot qd +
stabilisation) take that away.  Source: Bayo, Garcia de Jalon and Serna 1988.
"""


from mb_model.jit import kernel
from mb_model.kernels.dense import assemble_tangent
from mb_model.kernels.equations_of_motion import forces_and_rates, stabilise
from mb_model.kernels.linear_algebra import cholesky_factor, cholesky_solve
from mb_model.kernels.step_state import begin_accelerations, end_accelerations
from mb_model.kernels.storage import (
    add_row,
    evaluate,
    factor_tangent,
    row_product,
    solve_tangent,
)
from mb_model.kernels.velocity import solve_velocity
from mb_model.record import PENALTY

AUGMENTED_PASSES = 4      # each one divides the violation by about the penalty


@kernel
def accelerations(model, work, passes):
    """At work.q, qd, forces: write qdd, lam.  Returns False where the masses do not decide qdd."""
    evaluate(model, work)
    forces_and_rates(model, work)
    stabilise(model, work)
    if not factor_tangent(model, work, work.penalty / PENALTY, 0.0, 0.0):
        return False
    for k in range(model.m):
        work.lam[k] = 0.0
    for _ in range(passes):
        _right_side(model, work, work.qdd)
        solve_tangent(model, work, work.qdd)
        _augment(model, work)
    return True


@kernel
def augmented_accelerations(model, work):
    """At work.q, qd, forces: write qdd, lam, z, zd, zdd by the augmented Lagrangian.

    Returns False where they cannot be solved for; work is not to be relied on then.
    """
    begin_accelerations(model, work)
    return end_accelerations(model, work, accelerations(model, work, AUGMENTED_PASSES))


@kernel
def inverse(model, work, passes):
    """At work.q (solved), zd, zdd: write forces, lam, qd, qdd with the same equations.

    The dependent accelerations and the forces are unknown.  Returns False at a singular position.
    """
    g, size = model.g, model.n - model.g
    if not solve_velocity(model, work):
        return False
    for k in range(g):
        work.forces[k] = 0.0
        work.qdd[model.independent[k]] = work.zdd[k]
    forces_and_rates(model, work)
    stabilise(model, work)
    assemble_tangent(model, work, work.penalty / PENALTY, 0.0, 0.0)
    for k in range(model.m):
        work.lam[k] = 0.0
    factor, reduced, right = work.large, work.large_vector, work.right
    for row in range(size):
        for column in range(row + 1):
            factor[row, column] = _entry(work, model.dependent[row], model.dependent[column])
    if not cholesky_factor(factor, size):
        return False
    for _ in range(passes):
        _right_side(model, work, right)
        for row in range(size):
            coordinate = model.dependent[row]
            reduced[row] = right[coordinate]
            for k in range(g):
                reduced[row] -= _entry(work, coordinate, model.independent[k]) * work.zdd[k]
        cholesky_solve(factor, reduced, size)
        for row in range(size):
            work.qdd[model.dependent[row]] = reduced[row]
        _augment(model, work)
    for k in range(g):
        coordinate = model.independent[k]
        total = -right[coordinate]
        for column in range(model.n):
            total += _entry(work, coordinate, column) * work.qdd[column]
        work.forces[k] = total
    return True


@kernel
def _stiffness(model, work, k):
    """Return alpha of equation k; model.stiffness is made with PENALTY."""
    return work.penalty / PENALTY * model.stiffness[k]


@kernel
def _right_side(model, work, out):
    """Write Q - phi_q^T (lam + alpha (phi_q_dot qd + stabilisation))."""
    for row in range(model.n):
        out[row] = work.Q[row]
    for k in range(model.m):
        push = work.lam[k] + _stiffness(model, work, k) * work.phi_bias[k]
        add_row(model, work, k, -push, out)


@kernel
def _augment(model, work):
    """lam += alpha (phi_q qdd + phi_q_dot qd + stabilisation)."""
    for k in range(model.m):
        violation = work.phi_bias[k] + row_product(model, work, k, work.qdd)
        work.lam[k] += _stiffness(model, work, k) * violation


@kernel
def _entry(work, row, column):
    """Return an entry of the symmetric work.tangent."""
    return work.tangent[row, column] if column <= row else work.tangent[column, row]
