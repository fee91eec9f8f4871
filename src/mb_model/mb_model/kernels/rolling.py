"""Bodies that roll without slip on a plane: constraints of velocities that positions do not show.

A ball or a disc touches a plane at rest at the arm p from its centre c.  Its material is at rest
there: the slip s = c' + w x p vanishes along both tangents t of the plane; that it stays on the
plane is an equation of positions.  With A qd the slips of all bodies,

    M_bar zdd = Q_bar - A_z^T mu,   s' = A qdd + A_dot qd = -decay s,   A_z = A R

The tractions mu push a body by -mu at its contact, so they are among the forces work.Q, and the
multipliers, reactions and derivatives of kernels.linearisation see them there.  What is left of s
by rounding, or by a start that slips, fades with the rate decay.

Slips that follow from others, as of two wheels on one axle along it, get no traction.

A disc with the axis a touches the plane at the arm p = r (u a - n) / cosine from its centre, u =
a . n, cosine^2 = 1 - u^2, n the plane's normal; a ball at p = -r n, the same with a = 0.
roll_index: the centre, the three unit vectors of the body, the axis (-1: a ball); roll_value: r,
n, both tangents of the plane, decay [1/s].
"""

from math import sqrt

from numba import void

from mb_model.jit import kernel
from mb_model.kernels.linear_algebra import cholesky_solve
from mb_model.record import MODEL, WORK
from mb_model.registry.spatial import IN_SPACE
from mb_model.space.vectors import cross, dot, plus, spread, times, turning, vector

ZERO = (0.0, 0.0, 0.0)
_FLAT = 1e-18           # square of the cosine of a disc that lies: it has no contact


@kernel
def axis_of(model, index, v):
    """Return the axis of a body for an array v; none of a ball."""
    return vector(model, index[4], v) if index[4] >= 0 else ZERO


@kernel
def tangent_of(values, side):
    """Return a tangent of the plane."""
    return values[4 + 3 * side], values[5 + 3 * side], values[6 + 3 * side]


@kernel
def arm_of(values, a, rate, da, drate):
    """Return p, its rate and the changes of both for the axis, its rate and their changes.

    From cosine p = r (u a - n), differentiated once and twice.
    """
    radius, n = values[0], (values[1], values[2], values[3])
    u, ud, du, dud = dot(a, n), dot(rate, n), dot(da, n), dot(drate, n)
    share = 1.0 / sqrt(max(1.0 - u * u, _FLAT))
    cd, dc = -u * ud * share, -u * du * share
    dcd = -(du * ud + u * dud + cd * dc) * share
    arm = times(radius * share, plus(times(u, a), n, -1.0))
    moving = times(share, plus(times(radius, plus(times(ud, a), rate, u)), arm, -cd))
    darm = times(share, plus(times(radius, plus(times(du, a), da, u)), arm, -dc))
    both = times(radius, plus(plus(times(dud, a), da, ud), plus(times(du, rate), drate, u), 1.0))
    dmoving = times(share, plus(plus(plus(both, moving, -dc), darm, -cd), arm, -dcd))
    return arm, moving, darm, dmoving


_FOLLOWS = 1e-9         # share of its response that is left of a slip that follows from others
_NOTHING = 1e150        # pivot of such a slip: what is divided by it is nothing


@kernel
def _write_row(model, index, q, tangent, arm, out):
    """Write the row of A of a slip along a tangent."""
    for row in range(model.n_total):
        out[row] = 0.0
    spread(model, index[0], tangent[0], tangent[1], tangent[2], out)
    moment = cross(arm, tangent)
    for axis in range(1, 4):
        x, y, z = times(0.5, cross(moment, vector(model, index[axis], q)))
        spread(model, index[axis], x, y, z, out)


@kernel
def _respond(model, work, row):
    """Write a row of A_z, and how zdd responds to a force along that slip."""
    for i in range(model.g):
        total = 0.0
        for k in range(model.n):
            total += work.slip_q[row, k] * work.R[k, i]
        work.slip_z[row, i] = work.slip_response[row, i] = total
    cholesky_solve(work.M_bar_factor, work.slip_response[row], model.g)


@kernel
def _write_slips(model, work):
    """Write A, A_z and responses; slip_change: s' + decay s at zdd without tractions."""
    for k in range(model.rolls):
        index, values = model.roll_index[k], model.roll_value[k]
        arm, moving, _, _ = arm_of(values, axis_of(model, index, work.q),
                                 axis_of(model, index, work.qd), ZERO, ZERO)
        turn = turning(model, index, work.q, work.qd)
        for side in range(2):
            row, tangent = 2 * k + side, tangent_of(values, side)
            _write_row(model, index, work.q, tangent, arm, work.slip_q[row])
            _respond(model, work, row)
            total = dot(turn, cross(moving, tangent))
            for column in range(model.n):
                total += work.slip_q[row, column] * (work.sc[column]
                                                    + values[10] * work.qd[column])
            for i in range(model.g):
                total += work.slip_z[row, i] * work.zdd[i]
            work.slip_change[row] = total


@kernel
def _factor_responses(model, work):
    """Write the factor of A_z M_bar^-1 A_z^T, without slips that follow from those before."""
    factor, slips = work.slip_factor, 2 * model.rolls
    for i in range(slips):
        for j in range(i + 1):
            total = 0.0
            for k in range(model.g):
                total += work.slip_z[i, k] * work.slip_response[j, k]
            factor[i, j] = total
    for j in range(slips):
        whole = left = factor[j, j]
        for k in range(j):
            left -= factor[j, k] * factor[j, k]
        follows = not left > _FOLLOWS * whole
        factor[j, j] = _NOTHING if follows else sqrt(left)
        for i in range(j + 1, slips):
            total = factor[i, j]
            for k in range(j):
                total -= factor[i, k] * factor[j, k]
            factor[i, j] = 0.0 if follows else total / factor[j, j]
        for k in range(j if follows else 0):
            factor[j, k] = 0.0


@IN_SPACE.separate(void, MODEL, WORK)
def hold_contacts(model, work):
    """After reduce_dynamics, zdd without tractions: write tractions, add them to Q, Q_bar and zdd.
    """
    slips = 2 * model.rolls
    _write_slips(model, work)
    _factor_responses(model, work)
    for row in range(slips):
        work.traction[row] = work.slip_change[row]
    cholesky_solve(work.slip_factor, work.traction, slips)
    for row in range(slips):
        push = work.traction[row]
        for k in range(model.n):
            work.Q[k] -= push * work.slip_q[row, k]
        for i in range(model.g):
            work.Q_bar[i] -= push * work.slip_z[row, i]
            work.zdd[i] -= push * work.slip_response[row, i]


@IN_SPACE.separate(void, MODEL, WORK)
def stop_slips(model, work):
    """After forward_dynamics: change work.zd as an impulse at the contacts would, to no slip."""
    for row in range(2 * model.rolls):
        total = 0.0
        for k in range(model.n):
            total += work.slip_q[row, k] * work.qd[k]
        work.slip_change[row] = total
    cholesky_solve(work.slip_factor, work.slip_change, 2 * model.rolls)
    for row in range(2 * model.rolls):
        for i in range(model.g):
            work.zd[i] -= work.slip_change[row] * work.slip_response[row, i]
