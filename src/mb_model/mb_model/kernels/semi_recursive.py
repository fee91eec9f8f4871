"""Semi-recursive formulation: equations of motion of the independent joint coordinates.

    M_bar sdd_i = Q_bar,   M_bar = flow^T M flow,   Q_bar = flow^T (load - M twist_dot0 - ...)

summed over the bodies, with flow = T R_d joint_R, the twists per independent rate, and twist_dot0
of sdd_i = 0.  Source: Pyrhonen et al. 2023b, Eq. (6), multiplied from the right.
"""

from math import isfinite

from mb_model.jit import kernel
from mb_model.kernels.articulated import solve_tree
from mb_model.kernels.balls import follow_balls
from mb_model.kernels.forces import all_forces
from mb_model.kernels.linear_algebra import (
    cholesky_factor,
    cholesky_solve,
    lu_factor,
    lu_solve,
    lu_solve_transposed,
)
from mb_model.kernels.loops import choose_joints, close_loops, solve_loops
from mb_model.kernels.step_state import note_forces, take_independent
from mb_model.kernels.tree import (
    accelerate_bodies,
    add_bodies,
    add_loads,
    added_accelerations,
    added_rates,
    added_values,
    forces_to_points,
    loop_accelerations,
    move_bodies,
    pose_bodies,
    rates_of_points,
    spread,
)


@kernel
def accelerations(model, work):
    """At s, sd, forces: close the loops; write sdd, q, qd, qdd, z, zd, zdd.

    Returns False where they cannot be solved for; work is not to be relied on then.
    """
    if is_open(model):
        return open_accelerations(model, work)
    if not close_loops(model, work):
        return False
    _move(model, work)
    write_loads(model, work)
    if not reduce_dynamics(model, work):
        return False
    independent = work.independent_accelerations
    for i in range(model.g):
        independent[i] = work.Q_bar[i]
    note_forces(model, work)
    cholesky_solve(work.M_bar_factor, independent, model.g)
    _finish(model, work, independent)
    return is_finite(model, work)


@kernel
def has_armature(model):
    """Return whether rates of coordinates move inertia of their own."""
    largest = 0.0
    for column in range(model.moving, model.n):
        largest = max(largest, model.own_inertia[column])
    return largest > 0.0


@kernel
def is_open(model):
    """Return whether a model is a tree in space whose joints are all independent.

    One with armatures counts as one with loops: M_bar has them wherever they are.
    """
    return (model.solids > 0 and model.cuts == 0 and model.loops == 0
            and not has_armature(model))


@kernel
def open_accelerations(model, work):
    """Do what accelerations does for a tree in space without loops: in O(joints)."""
    pose_bodies(model, work)
    move_and_load(model, work)
    if not solve_tree(model, work):
        return False
    write_accelerations(model, work)
    return is_finite(model, work)


@kernel
def move_and_load(model, work):
    """At s, sd, after pose_bodies: write q, qd and the load of every body."""
    added_values(model, work)
    move_bodies(model, work)
    added_rates(model, work, work.qd)
    write_loads(model, work)
    note_forces(model, work)


@kernel
def is_finite(model, work):
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
    wanted, independent = work.zdd_wanted, work.independent_accelerations
    for i in range(g):
        wanted[i], independent[i], work.forces[i] = work.zdd[i], 0.0, 0.0
    if not close_loops(model, work):
        return False
    _move(model, work)
    write_loads(model, work)
    if not reduce_dynamics(model, work):
        return False
    _finish(model, work, independent)
    for i in range(g):
        rates_of_joint(model, work, i, work.joint_directions[i])
        for k in range(g):
            work.newton[k, i] = work.joint_directions[i, model.independent[k]]
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
    rates_of_points(model, work, work.flow[i], out)
    added_rates(model, work, out)


@kernel
def _move(model, work):
    """After close_loops: write q, sd, qd, flow; the independent joint rates decide."""
    added_values(model, work)
    independent = work.independent_rates
    for i in range(model.g):
        independent[i] = work.sd[work.joint_independent[i]]
    for k in range(model.joints):
        work.sd[k] = 0.0
        for i in range(model.g):
            work.sd[k] += work.joint_R[k, i] * independent[i]
    move_bodies(model, work)
    added_rates(model, work, work.qd)
    _spread_flow(model, work)


@kernel
def _spread_flow(model, work):
    """Write flow from axis and joint_R."""
    for i in range(model.g):
        for k in range(model.joints):
            work.joint_rates[k] = work.joint_R[k, i]
        spread(model, work.axis, work.joint_rates, work.flow[i])


@kernel
def reduce_inertia(model, work):
    """After accelerations: write M_bar and flow, which accelerations of an open tree leave out."""
    if is_open(model):
        for k in range(model.joints):
            for i in range(model.g):
                work.joint_R[k, i] = 1.0 if k == work.joint_independent[i] else 0.0
        _spread_flow(model, work)
        _add_inertia(model, work)


@kernel
def write_loads(model, work):
    """Write the load of every body: what Q and the forces on z do to its points."""
    all_forces(model, work)
    forces_to_points(model, work)
    for k in range(model.joints + 1):
        for row in range(6):
            work.load[k, row] = 0.0
    add_loads(model, work)


@kernel
def reduce_dynamics(model, work):
    """After _move and write_loads: write sdd for sdd_i = 0, Q_bar, M_bar and its factor."""
    for k in range(model.joints):
        work.sdd[k] = 0.0
    accelerate_bodies(model, work, work.sdd)
    loop_accelerations(model, work, work.gap_dd)
    solve_loops(model, work, work.gap_dd, work.joint_change)
    for k in range(model.joints):
        work.sdd[k] = -work.joint_change[k]
    accelerate_bodies(model, work, work.sdd)
    _add_inertia(model, work)
    if has_armature(model):
        _add_armature(model, work)
    return cholesky_factor(work.M_bar_factor, model.g)


@kernel
def _add_inertia(model, work):
    """Write Q_bar, M_bar and a copy of it to be factorised."""
    for i in range(model.g):
        work.Q_bar[i] = 0.0
        for j in range(model.g):
            work.M_bar[i, j] = 0.0
    add_bodies(model, work)
    for i in range(model.g):
        for j in range(i + 1):
            work.M_bar[j, i] = work.M_bar_factor[i, j] = work.M_bar[i, j]


@kernel
def _add_armature(model, work):
    """Add what coordinates with inertia of their own have in M_bar, its copy and Q_bar.

    With R_c their rates per independent rate: R_c^T J R_c, and -R_c^T J qdd_c at sdd_i = 0.
    """
    added_accelerations(model, work)
    for i in range(model.g):
        rates_of_joint(model, work, i, work.joint_directions[i])
    for column in range(model.moving, model.n):
        for i in range(model.g):
            share = model.own_inertia[column] * work.joint_directions[i, column]
            work.Q_bar[i] -= share * work.qdd[column]
            for j in range(model.g):
                work.M_bar[i, j] += share * work.joint_directions[j, column]
    for i in range(model.g):
        for j in range(i + 1):
            work.M_bar_factor[i, j] = work.M_bar[i, j]


@kernel
def _finish(model, work, independent):
    """After reduce_dynamics: write sdd, qdd and z, zd, zdd for independent accelerations."""
    for k in range(model.joints):
        for i in range(model.g):
            work.sdd[k] += work.joint_R[k, i] * independent[i]
    write_accelerations(model, work)


@kernel
def write_accelerations(model, work):
    """From sdd write qdd and z, zd, zdd."""
    accelerate_bodies(model, work, work.sdd)
    added_accelerations(model, work)
    take_independent(model, work)


@kernel
def choose(model, work):
    """Choose the independent joint coordinates; turn the frames of ball joints that are far on.

    Returns False where that is not possible.
    """
    far = model.balls > 0 and follow_balls(model, work)
    return choose_joints(model, work) and (not far or begin_anew(
        model, work, accelerations(model, work)))


@kernel
def choose_open(model, work):
    """Do the same for a tree in space without loops."""
    for k in range(model.joints):
        work.joint_independent[k] = k
    return not follow_balls(model, work) or begin_anew(
        model, work, open_accelerations(model, work))


@kernel
def begin_anew(model, work, solved):
    """Keep the joint coordinates, which have changed, for a step; return `solved`."""
    for k in range(model.joints):
        work.s0[k], work.sd0[k], work.sdd0[k] = work.s[k], work.sd[k], work.sdd[k]
    return solved
