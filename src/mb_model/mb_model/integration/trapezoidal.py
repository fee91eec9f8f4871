"""Trapezoidal rule in the independent coordinates, solved by Newton's iteration."""

from numba import float64, int64

from mb_model.integration.dynamics import accelerations
from mb_model.integration.registry import MATRIX_R
from mb_model.jit import entry, kernel, separate
from mb_model.kernels.linear_algebra import lu_factor, lu_solve
from mb_model.kernels.linearisation import acceleration_derivatives, linearise
from mb_model.kernels.step_state import (
    expect,
    keep_independent,
    restore_independent,
    take_independent,
)
from mb_model.kernels.time import set_time
from mb_model.record import MODEL, WORK

TOLERANCE = 1e-12         # of the last increment over h, in sizes of the coordinate per second
_ITERATIONS = 30
_SLOW = 0.3               # an increment beyond this share of the last one asks for a new matrix
_LINEAR = 1e-10           # sizes of the coordinate: the square of so small an increment is nothing


@kernel
def _factor(model, work, h):
    """Factorise Newton's matrix at the present iterate."""
    linearise(model, work)
    for row in range(model.g):
        for column in range(model.g):
            work.newton[row, column] = -0.25 * h * h * work.A[row, column] - 0.5 * h * work.B[
                row, column]
        work.newton[row, row] += 1.0
    return lu_factor(work.newton, work.newton_pivots, model.g) != 0.0


@kernel
def _move(model, work, h, dz):
    """Move the state by a last, small increment of z, to first order."""
    acceleration_derivatives(model, work)
    for row in range(model.n):
        for k in range(model.g):
            dzd = 2.0 / h * dz[k]
            work.q[row] += work.R[row, k] * dz[k]
            work.qd[row] += work.qd_z[row, k] * dz[k] + work.R[row, k] * dzd
            work.qdd[row] += work.qdd_z[row, k] * dz[k] + work.qdd_zd[row, k] * dzd
    take_independent(model, work)


@separate(MODEL, WORK, float64, int64)
def step_formulation(model, work, h, formulation):
    """Solve dz = h zd0 + h^2/4 (zdd0 + zdd(z0 + dz, zd)), zd = 2/h dz - zd0.

    Newton's matrix I - h^2/4 A - h/2 B is kept while the iteration converges fast.  It shrinks
    every increment by about the same factor; so the last one is foreseen, and not solved for.
    Returns False, the state unchanged, if it fails or meets a position that does not close or is
    singular.
    """
    g, quarter = model.g, 0.25 * h * h
    keep_independent(model, work)
    set_time(model, work, work.t0 + h)
    dz, residual = work.dz, work.z_residual
    expect(model, work, 0, h)
    for k in range(g):
        dz[k] = h * (work.zd0[k] + 0.5 * h * work.zdd0[k])
    slow, last = True, 1e300
    for iteration in range(_ITERATIONS):
        for k in range(g):
            coordinate = model.independent[k]
            work.q[coordinate] = work.z0[k] + dz[k]
            work.qd[coordinate] = 2.0 / h * dz[k] - work.zd0[k]
        if not accelerations(model, work, formulation):
            break
        if slow and not _factor(model, work, h):
            break
        for k in range(g):
            residual[k] = h * work.zd0[k] + quarter * (work.zdd0[k] + work.zdd[k]) - dz[k]
        lu_solve(work.newton, work.newton_pivots, residual, g)
        change = 0.0      # a sum, because a maximum loses what is not a number
        for k in range(g):
            dz[k] += residual[k]
            change += abs(residual[k]) / model.scale[model.independent[k]]
        if change <= TOLERANCE * h:
            return True
        if iteration > 0 and change <= _LINEAR and change * change <= TOLERANCE * h * last:
            _move(model, work, h, residual)
            return True
        if not change < 1e6:
            break
        slow = change > _SLOW * last
        last = change
        for row in range(model.n):
            for k in range(g):
                work.q[row] += work.R[row, k] * residual[k]
    restore_independent(model, work)
    return False


@entry
def step(model, work, h):
    """Advance work by h [s], matrix-R formulation."""
    return step_formulation(model, work, h, MATRIX_R)


@entry
def step_trapezoidal(models, works, h, formulation):
    """See step_formulation."""
    return step_formulation(models[0], works[0], h, formulation)
