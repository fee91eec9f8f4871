"""Index-3 augmented Lagrangian with velocity and acceleration projections (ALI3-P).

Equations of motion M qdd + phi_q^T (alpha phi + lam) = Q at the end of a step, with the trapezoidal
rule qd = 2/h dq - qd0, qdd = 4/h^2 dq - 4/h qd0 - qdd0 put in; positions are the unknowns.

The penalty alpha does not change the result, only how fast the iteration gets there.  Instead of
one number it is, for each equation k, model.stiffness[k] / (h^2/4): the same multiple of the mass,
whatever the units of the equation, the size of the mechanism and the step.
Sources: ALI3P of Rodriguez et al. 2023, Sec. 11; projections: Bayo and Ledesma 1996.
"""

from numba import float64

from mb_model.jit import also, kernel, separate
from mb_model.kernels.forces import all_forces
from mb_model.kernels.newton import has_converged, settles
from mb_model.kernels.step_state import end_renewal, keep_state, take_independent
from mb_model.kernels.storage import (
    add_row,
    evaluate,
    factor_tangent,
    multiply_mass,
    rate_products,
    row_product,
    solve_tangent,
)
from mb_model.kernels.time import add_driven, set_time
from mb_model.record import MODEL, WORK
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK

_ROUNDING = 1e-10         # an increment this small that shrinks no more is rounding
_SETTLED = 1e-8           # an increment that still shrinks by then, near a singular position


@kernel
def _predict(model, work, h):
    """Keep the start of the step; predict its end with the accelerations of the start."""
    keep_state(model, work)
    set_time(model, work, work.t0 + h)
    for row in range(model.n):
        increment = h * (work.qd[row] + 0.5 * h * work.qdd[row])
        work.dq[row] = increment
        work.q[row] += increment
        work.qd[row] += h * work.qdd[row]


@kernel
def _correct(model, work, h, quarter):
    """One Newton iteration on positions and multipliers; return the mean relative increment.

    Multipliers move with the linearised constraints, lam += alpha (phi + phi_q dq), which is
    Newton's step for constraints with a compliance of 1/alpha, and exact at convergence.
    """
    n, m = model.n, model.m
    inertial, residual = work.inertial, work.residual
    for row in range(n):
        inertial[row] = work.dq[row] - h * work.qd0[row] - quarter * work.qdd0[row]
    multiply_mass(model, work, inertial, residual)
    for row in range(n):
        residual[row] = quarter * work.Q[row] - residual[row]
    for k in range(m):
        push = quarter * work.lam[k] + model.stiffness[k] * work.phi[k]
        add_row(model, work, k, -push, residual)
    solve_tangent(model, work, residual)
    change = 0.0      # a mean, because a maximum loses what is not a number
    for row in range(n):
        work.dq[row] += residual[row]
        work.q[row] = work.q0[row] + work.dq[row]
        work.qd[row] = 2.0 / h * work.dq[row] - work.qd0[row]
        work.qdd[row] = (work.dq[row] / quarter - 4.0 / h * work.qd0[row]) - work.qdd0[row]
        change += abs(residual[row]) / model.scale[row]
    for k in range(m):
        violation = work.phi[k] + row_product(model, work, k, residual)
        work.lam[k] += model.stiffness[k] / quarter * violation
    return change / n


@kernel
def _project(model, work):
    """Project velocities and accelerations on the constraints, in the metric of the mass.

        tangent (qd - qd*) = -h^2/4 alpha phi_q^T (phi_q qd* + phi_t)
        tangent (qdd - qdd*) = -h^2/4 alpha phi_q^T (phi_q qdd* + phi_q_dot qd + phi_tt)

    The same as tangent qd = M qd* and its like, solved for the small change: the tangent is so
    badly conditioned that the other form errs by 1e-10 of the velocity in every step.
    """
    for k in range(model.m):
        work.phi_t[k] = 0.0
    add_driven(model, work.qd, -1.0, work.phi_t)
    _project_level(model, work, work.qd, work.phi_t)
    rate_products(model, work, work.phi_bias)
    _project_level(model, work, work.qdd, work.phi_bias)


@kernel
def _project_level(model, work, v, rates):
    """Project v, velocities or accelerations, in place on phi_q v + rates = 0."""
    change = work.residual
    for row in range(model.n):
        change[row] = 0.0
    for k in range(model.m):
        violation = row_product(model, work, k, v) + rates[k]
        add_row(model, work, k, -model.stiffness[k] * violation, change)
    solve_tangent(model, work, change)
    for row in range(model.n):
        v[row] += change[row]


@also(SPARSE_MODEL, SPARSE_WORK, float64)
@separate(MODEL, WORK, float64)
def step(model, work, h):
    """Advance work by h [s] (0 < h): reads and writes q, qd, qdd, z, zd, zdd, lam; reads forces, M.

    Returns the number of Newton iterations (> 0), or -1 if they do not converge; the state is then
    as it was.
    """
    quarter = 0.25 * h * h
    _predict(model, work, h)
    iterations, last = -1, 1e300
    for iteration in range(work.iterations):
        evaluate(model, work)
        all_forces(model, work)
        # In space an increment of rounding leaves the tangent as it was.
        kept = model.solids > 0 and iteration == 1 and last <= _ROUNDING
        if not kept and not factor_tangent(model, work, 1.0, quarter, 0.5 * h):
            break
        change = _correct(model, work, h, quarter)
        if not change < 1e6:
            break
        tolerance = work.newton_tolerance * h
        if has_converged(change, last, tolerance, _ROUNDING, 0.5) or (
                model.solids > 0 and iteration > 0 and change <= _ROUNDING
                and settles(change, last, tolerance)):
            iterations = iteration + 1
            break
        last = change
    else:
        # Near a singular position only the multipliers, hardly determined there, still change.
        if last <= _SETTLED:
            iterations = work.iterations
    if end_renewal(model, work, iterations > 0):
        _project(model, work)
        take_independent(model, work)
    return iterations
