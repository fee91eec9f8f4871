"""Exact derivatives of what keeps bodies from slipping that roll, see kernels.rolling.

Forces and motions change tractions, too: each derivative at constant tractions is followed by the
change of these that lets nothing slip.
"""

from numba import void

from mb_model.jit import kernel
from mb_model.kernels.linear_algebra import cholesky_solve
from mb_model.kernels.rolling import ZERO, arm_of, axis_of, tangent_of
from mb_model.kernels.transformation import apply_s
from mb_model.record import MODEL, WORK
from mb_model.registry.spatial import IN_SPACE
from mb_model.space.vectors import cross, dot, plus, times, turning, vector

_VECTOR, _MATRIX = WORK['q'], WORK['M']


@IN_SPACE.separate(void, MODEL, WORK)
def add_traction_changes(model, work):
    """Add R^T dQ of tractions that stay as they are to work.A, along work.directions[i].

    By zd, which they do not depend on, there is none.
    """
    for k in range(model.rolls):
        index, values = model.roll_index[k], model.roll_value[k]
        axis = axis_of(model, index, work.q)
        force = plus(times(-work.traction[2 * k], tangent_of(values, 0)), tangent_of(values, 1),
                     -work.traction[2 * k + 1])
        for i in range(model.g):
            along = work.directions[i]
            arm, _, darm, _ = arm_of(values, axis, ZERO, axis_of(model, index, along), ZERO)
            moment, dmoment = cross(arm, force), cross(darm, force)
            for j in range(model.g):
                other = work.directions[j]
                work.A[j, i] += (dot(dmoment, turning(model, index, work.q, other))
                                 + dot(moment, turning(model, index, along, other)))


@kernel
def _change_slips(model, work, dq, dqd, dqdd):
    """Write slip_change: how s' + decay s changes with dq, dqd, dqdd."""
    for k in range(model.rolls):
        index, values = model.roll_index[k], model.roll_value[k]
        arm, moving, darm, dmoving = arm_of(
            values, axis_of(model, index, work.q), axis_of(model, index, work.qd),
            axis_of(model, index, dq), axis_of(model, index, dqd))
        turn, spin = (turning(model, index, work.q, work.qd),
                      turning(model, index, work.q, work.qdd))
        dturn = plus(turning(model, index, dq, work.qd), turning(model, index, work.q, dqd), 1.0)
        dspin = plus(turning(model, index, dq, work.qdd), turning(model, index, work.q, dqdd),
                     1.0)
        decay = values[10]
        centre = plus(vector(model, index[0], dqdd), vector(model, index[0], dqd), decay)
        for side in range(2):
            tangent = tangent_of(values, side)
            work.slip_change[2 * k + side] = (
                dot(tangent, centre)
                + dot(cross(darm, tangent), plus(spin, turn, decay))
                + dot(cross(arm, tangent), plus(dspin, dturn, decay))
                + dot(dturn, cross(moving, tangent)) + dot(turn, cross(dmoving, tangent)))


@kernel
def _constrain(model, work, change):
    """Let tractions keep slips, whose own change is slip_change, from a change of zdd (g)."""
    slips = 2 * model.rolls
    for row in range(slips):
        for i in range(model.g):
            work.slip_change[row] += work.slip_z[row, i] * change[i]
    cholesky_solve(work.slip_factor, work.slip_change, slips)
    for row in range(slips):
        for i in range(model.g):
            change[i] -= work.slip_change[row] * work.slip_response[row, i]


@IN_SPACE.separate(void, MODEL, WORK, _VECTOR)
def constrain_change(model, work, change):
    """Replace a change of zdd (g) under forces, at constant q, qd, by that with tractions."""
    for row in range(2 * model.rolls):
        work.slip_change[row] = 0.0
    _constrain(model, work, change)


@kernel
def _constrain_column(model, work, matrix, i):
    """Do what _constrain does with column i of a matrix."""
    for k in range(model.g):
        work.column[k] = matrix[k, i]
    _constrain(model, work, work.column)
    for k in range(model.g):
        matrix[k, i] = work.column[k]


@IN_SPACE.separate(void, MODEL, WORK, _MATRIX)
def constrain_columns(model, work, out):
    """Do what constrain_change does with each column of out (g, g)."""
    for i in range(model.g):
        for row in range(2 * model.rolls):
            work.slip_change[row] = 0.0
        _constrain_column(model, work, out, i)


@IN_SPACE.separate(void, MODEL, WORK)
def constrain_derivatives(model, work):
    """Replace work.A and B at constant tractions by those with changed ones, in linearise."""
    right, dqdd, still = work.right, work.dqdd, work.still
    for row in range(model.n_total):
        still[row] = 0.0
    for i in range(model.g):
        for row in range(model.m):
            right[row] = -work.pushes[i, row]
        apply_s(model, work, right, dqdd)
        _change_slips(model, work, work.directions[i], work.turns[i], dqdd)
        _constrain_column(model, work, work.A, i)
        for row in range(model.m):
            right[row] = -2.0 * work.rates[i, row]
        apply_s(model, work, right, dqdd)
        _change_slips(model, work, still, work.directions[i], dqdd)
        _constrain_column(model, work, work.B, i)


@IN_SPACE.separate(void, MODEL, WORK)
def differentiate_slips(model, work):
    """After linearise: write slip_by_z = ds/dz and slip_stop, the changes of zd that stop slips.

    ds/dzd is slip_z.  Row k of slip_stop (2 rolls, g) is what a slip of 1 in k alone takes from zd.
    """
    slips = 2 * model.rolls
    for i in range(model.g):
        dq, dqd = work.directions[i], work.turns[i]
        for k in range(model.rolls):
            index, values = model.roll_index[k], model.roll_value[k]
            arm, _, darm, _ = arm_of(values, axis_of(model, index, work.q), ZERO,
                                   axis_of(model, index, dq), ZERO)
            turn = turning(model, index, work.q, work.qd)
            dturn = plus(turning(model, index, dq, work.qd),
                         turning(model, index, work.q, dqd), 1.0)
            for side in range(2):
                tangent = tangent_of(values, side)
                work.slip_by_z[2 * k + side, i] = (
                    dot(tangent, vector(model, index[0], dqd))
                    + dot(cross(darm, tangent), turn) + dot(cross(arm, tangent), dturn))
    for k in range(slips):
        for row in range(slips):
            work.slip_change[row] = 1.0 if row == k else 0.0
        cholesky_solve(work.slip_factor, work.slip_change, slips)
        for i in range(model.g):
            total = 0.0
            for row in range(slips):
                total += work.slip_change[row] * work.slip_response[row, i]
            work.slip_stop[k, i] = total
