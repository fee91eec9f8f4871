"""Semi-recursive formulation: equations of motion of the independent joint coordinates.

    M_bar sdd_i = Q_bar,   M_bar = flow^T M flow,   Q_bar = flow^T (load - M twist_dot0 - ...)

summed over the bodies, with flow = T R_d joint_R, the twists per independent rate, and twist_dot0
of sdd_i = 0.  Source: Pyrhonen et al. 2023b, Eq. (6), multiplied from the right.
"""

from math import isfinite

from mb_model.jit import kernel
from mb_model.kernels.added import (
    added_accelerations,
    added_rates,
    added_values,
    by_points,
    forces_to_points,
)
from mb_model.kernels.forces import generalized_forces
from mb_model.kernels.joints import (
    accelerate_bodies,
    acceleration_at,
    move_bodies,
    place_on,
    spread,
    velocity_at,
)
from mb_model.kernels.linear_algebra import (
    cholesky_factor,
    cholesky_solve,
    lu_factor,
    lu_solve,
    lu_solve_transposed,
)
from mb_model.kernels.loops import close_loops, loop_accelerations, solve_loops
from mb_model.kernels.step_state import note_forces


@kernel
def accelerations(model, work):
    """At s, sd, forces: close the loops; write sdd, q, qd, qdd, z, zd, zdd.

    Returns False where they cannot be found; work is not to be relied on then.
    """
    if not close_loops(model, work):
        return False
    _move(model, work)
    _loads(model, work)
    if not reduce_dynamics(model, work):
        return False
    independent = work.small1
    for i in range(model.g):
        independent[i] = work.Q_bar[i]
    note_forces(model, work)
    cholesky_solve(work.M_bar_factor, independent, model.g)
    _finish(model, work, independent)
    total = 0.0
    for k in range(model.joints):
        total += work.sdd[k]
    return isfinite(total)


@kernel
def inverse(model, work):
    """At s, sd with the zdd wanted: write forces (g).  Returns False at a singular position.

    Joint accelerations come from zdd = J sdd_i + ..., the forces from J^T forces = M_bar sdd_i -
    Q_bar, J being the derivative of z by the independent joints.
    """
    g = model.g
    wanted, independent = work.small2, work.small1
    for i in range(g):
        wanted[i], independent[i], work.forces[i] = work.zdd[i], 0.0, 0.0
    if not close_loops(model, work):
        return False
    _move(model, work)
    _loads(model, work)
    if not reduce_dynamics(model, work):
        return False
    _finish(model, work, independent)
    for i in range(g):
        rates_of_joint(model, work, i, work.vector1)
        for k in range(g):
            work.newton[k, i] = work.vector1[model.independent[k]]
    if lu_factor(work.newton, work.newton_pivots, g) == 0.0:
        return False
    for i in range(g):
        wanted[i] -= work.zdd[i]
    lu_solve(work.newton, work.newton_pivots, wanted, g)
    for i in range(g):
        total = -work.Q_bar[i]
        for j in range(g):
            total += work.M_bar[i, j] * wanted[j]
        work.forces[i] = total
    lu_solve_transposed(work.newton, work.newton_pivots, work.forces, g)
    return True


@kernel
def rates_of_joint(model, work, i, out):
    """Write the rates (n) of all coordinates per rate of independent joint i."""
    for p in range(model.moving):
        out[2 * p], out[2 * p + 1] = velocity_at(
            work.flow[i, model.point_joint[p] + 1], work.q[2 * p], work.q[2 * p + 1])
    for column in range(2 * model.moving, model.n):
        out[column] = by_points(model, work, column, out)


@kernel
def _move(model, work):
    """After close_loops: write q, sd, qd, flow; the independent joint rates decide."""
    added_values(model, work)
    independent = work.small3
    for i in range(model.g):
        independent[i] = work.sd[work.joint_independent[i]]
    for k in range(model.joints):
        work.sd[k] = 0.0
        for i in range(model.g):
            work.sd[k] += work.joint_R[k, i] * independent[i]
    move_bodies(model, work)
    added_rates(model, work)
    for i in range(model.g):
        for k in range(model.joints):
            work.vector1[k] = work.joint_R[k, i]
        spread(model, work.axis, work.vector1, work.flow[i])


@kernel
def _loads(model, work):
    """Write the load of every body: what Q and the forces on z do to its points."""
    generalized_forces(model, work)
    for k in range(model.g):
        work.Q[model.independent[k]] += work.forces[k]
    forces_to_points(model, work)
    for k in range(model.joints + 1):
        for row in range(3):
            work.load[k, row] = 0.0
    for p in range(model.moving):
        load, fx, fy = work.load[model.point_joint[p] + 1], work.Q[2 * p], work.Q[2 * p + 1]
        load[0] += fx
        load[1] += fy
        load[2] += work.q[2 * p] * fy - work.q[2 * p + 1] * fx


@kernel
def reduce_dynamics(model, work):
    """After _move and _loads: write sdd for sdd_i = 0, Q_bar, M_bar and its factor."""
    for k in range(model.joints):
        work.sdd[k] = 0.0
    accelerate_bodies(model, work, work.sdd)
    loop_accelerations(model, work, work.vector1)
    solve_loops(model, work, work.vector1, work.vector2)
    for k in range(model.joints):
        work.sdd[k] = -work.vector2[k]
    accelerate_bodies(model, work, work.sdd)
    for i in range(model.g):
        work.Q_bar[i] = 0.0
        for j in range(model.g):
            work.M_bar[i, j] = 0.0
    for k in range(model.joints):
        _add_body(model, work, k)
    for i in range(model.g):
        for j in range(i + 1):
            work.M_bar[j, i] = work.M_bar_factor[i, j] = work.M_bar[i, j]
    return cholesky_factor(work.M_bar_factor, model.g)


@kernel
def _add_body(model, work, k):
    """Add what the body of joint k has in M_bar (lower triangle) and Q_bar."""
    body, load = model.joint_body[k], work.load[k + 1]
    mass, inertia = model.body_mass[body], model.body_inertia[body]
    x, y = place_on(work.pose, k + 1, model.body_centre[body])
    ax, ay = acceleration_at(work.twist[k + 1], work.twist_dot[k + 1], x, y)
    fx, fy = load[0] - mass * ax, load[1] - mass * ay
    moment = load[2] - inertia * work.twist_dot[k + 1, 2] - mass * (x * ay - y * ax)
    for i in range(model.g):
        flow = work.flow[i, k + 1]
        work.Q_bar[i] += flow[0] * fx + flow[1] * fy + flow[2] * moment
        vx, vy = velocity_at(flow, x, y)
        for j in range(i + 1):
            wx, wy = velocity_at(work.flow[j, k + 1], x, y)
            work.M_bar[i, j] += (mass * (vx * wx + vy * wy)
                                 + inertia * flow[2] * work.flow[j, k + 1, 2])


@kernel
def _finish(model, work, independent):
    """After reduce_dynamics: write sdd, qdd and z, zd, zdd for independent accelerations."""
    for k in range(model.joints):
        for i in range(model.g):
            work.sdd[k] += work.joint_R[k, i] * independent[i]
    accelerate_bodies(model, work, work.sdd)
    added_accelerations(model, work)
    for k in range(model.g):
        column = model.independent[k]
        work.z[k], work.zd[k], work.zdd[k] = work.q[column], work.qd[column], work.qdd[column]
