"""Semi-recursive formulation of large mechanisms in space, in a time that grows as their size.

With loops: the pass of kernels.articulated over clusters of joints, see kernels.clusters.  Each
moves by its independent joints, and hands on to what carries it the inertia that is left.  All
about the origin.  With flow the twists of its bodies per independent rate, at rest of these and of
the carrier accelerations `still`:

    M_c y = sum flow^T (-bias - I still) - U^T twist_dot_carrier,   U = sum I flow,
    I_carrier += sum I - U M_c^-1 U^T

Source: Jain 2012 (Multibody graph transformations and analysis, part II), Sec. 5.
"""

from numba import boolean

from mb_model.jit import Rare, kernel
from mb_model.kernels.articulated import begin_pass
from mb_model.kernels.balls import follow_balls
from mb_model.kernels.clusters import choose_joints, close_loops, solve_cluster, spread_rates
from mb_model.kernels.linear_algebra import cholesky_factor, cholesky_solve
from mb_model.kernels.semi_recursive import (
    begin_anew,
    choose_open,
    is_finite,
    is_open,
    move_and_load,
    open_accelerations,
    write_accelerations,
)
from mb_model.kernels.space_joints import accelerate_bodies
from mb_model.kernels.space_loops import loop_accelerations
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK


@kernel
def solve_clusters(model, work):
    """After the motion and the loads: write sdd; return False if a cluster moves without inertia.
    """
    for k in range(model.joints):
        work.sdd[k] = 0.0
    accelerate_bodies(model, work, work.sdd)
    loop_accelerations(model, work, work.gap_dd)
    for c in range(model.clusters):
        solve_cluster(model, work, c, work.gap_dd, work.joint_change)
    for k in range(model.joints):
        work.sdd[k] = -work.joint_change[k]
    begin_pass(model, work)
    for c in range(model.clusters - 1, -1, -1):
        if not _hand_on(model, work, c):
            return False
    for c in range(model.clusters):
        _accelerate(model, work, c)
    return True


@kernel
def _spread(model, work, c):
    """Write flow and still of the joints of cluster c."""
    begin, flow, still = model.cluster_begin[c], work.cluster_flow, work.cluster_still
    for slot in range(model.cluster_begin[c + 1] - begin):
        k = model.cluster_joint[begin + slot]
        carrier = model.joint_parent[k] - 1
        inside = model.joint_parent[k] != model.cluster_parent[c]
        other = model.joint_slot[carrier] if inside else 0
        for row in range(6):
            before = still[other, row] if inside else 0.0
            still[slot, row] = (before + work.axis[k, row] * work.sdd[k]
                                + work.axis_dot[k, row] * work.sd[k])
            for i in range(model.cluster_freedoms[c]):
                before = flow[other, i, row] if inside else 0.0
                flow[slot, i, row] = before + work.axis[k, row] * work.cluster_R[begin + slot, i]


@kernel
def _add_link(model, work, c, slot):
    """Add what a link has in the mass and the need of its cluster, and in the inertia handed on.

    The lines of cluster_push are U^T, of cluster_rate sums of flow^T (-bias - I still).
    """
    begin, parent = model.cluster_begin[c], model.cluster_parent[c]
    link = model.cluster_joint[begin + slot] + 1
    own, carrier, push = work.articulated[link], work.articulated[parent], work.cluster_push
    flow, still = work.cluster_flow[slot], work.cluster_still[slot]
    for row in range(6):
        need = work.bias[link, row]
        for column in range(6):
            need += own[6 * row + column] * still[column]
            carrier[6 * row + column] += own[6 * row + column]
        work.bias[parent, row] += need
        for i in range(model.cluster_freedoms[c]):
            pushed = 0.0
            for column in range(6):
                pushed += own[6 * row + column] * flow[i, column]
            push[begin + i, row] += pushed
            work.cluster_rate[begin + i] -= flow[i, row] * need
            for j in range(i + 1, model.cluster_freedoms[c]):
                work.cluster_mass[j, i] += flow[j, row] * pushed
            work.cluster_mass[i, i] += flow[i, row] * pushed


@kernel
def _hand_on(model, work, c):
    """Write cluster_push and cluster_rate of a cluster; hand on to its carrier what is left.

    Returns False if nothing resists it.
    """
    begin, parent, freedoms = (model.cluster_begin[c], model.cluster_parent[c],
                               model.cluster_freedoms[c])
    _spread(model, work, c)
    for i in range(freedoms):
        work.cluster_rate[begin + i] = 0.0
        for row in range(6):
            work.cluster_push[begin + i, row] = 0.0
        for j in range(i, freedoms):
            work.cluster_mass[j, i] = 0.0
    for slot in range(model.cluster_begin[c + 1] - begin):
        _add_link(model, work, c, slot)
    if not cholesky_factor(work.cluster_mass, freedoms):
        return False
    rates = work.cluster_rate[begin:begin + freedoms]
    cholesky_solve(work.cluster_mass, rates, freedoms)
    push = work.cluster_push
    for row in range(6):
        response = work.cluster_response[row]
        for i in range(freedoms):
            response[i] = push[begin + i, row]
            work.bias[parent, row] += response[i] * rates[i]
        cholesky_solve(work.cluster_mass, response, freedoms)
        for column in range(6):
            total = 0.0
            for i in range(freedoms):
                total += response[i] * push[begin + i, column]
            work.articulated[parent, 6 * row + column] -= total
    # What follows needs M_c^-1 U^T alone.
    for i in range(freedoms):
        for row in range(6):
            push[begin + i, row] = work.cluster_response[row, i]
    return True


@kernel
def _accelerate(model, work, c):
    """Write sdd and twist_dot of the joints of a cluster from twist_dot of what carries it."""
    begin, rates = model.cluster_begin[c], work.cluster_rate
    carrier = work.twist_dot[model.cluster_parent[c]]
    for i in range(model.cluster_freedoms[c]):
        for row in range(6):
            rates[begin + i] -= work.cluster_push[begin + i, row] * carrier[row]
    for j in range(begin, model.cluster_begin[c + 1]):
        k = model.cluster_joint[j]
        for i in range(model.cluster_freedoms[c]):
            work.sdd[k] += work.cluster_R[j, i] * rates[begin + i]
        for row in range(6):
            work.twist_dot[k + 1, row] = (work.twist_dot[model.joint_parent[k], row]
                                          + work.axis[k, row] * work.sdd[k]
                                          + work.axis_dot[k, row] * work.sd[k])


# Kernels of large mechanisms with loops.
CLUSTERED = Rare()


@CLUSTERED.separate(boolean, SPARSE_MODEL, SPARSE_WORK)
def _closed_accelerations(model, work):
    """Do what accelerations does, with loops."""
    if not close_loops(model, work):
        return False
    spread_rates(model, work)
    move_and_load(model, work)
    if not solve_clusters(model, work):
        return False
    write_accelerations(model, work)
    return is_finite(model, work)


@CLUSTERED.separate(boolean, SPARSE_MODEL, SPARSE_WORK)
def _choose_closed(model, work):
    """Do what choose does, with loops."""
    far = model.balls > 0 and follow_balls(model, work)
    return choose_joints(model, work) and (not far or begin_anew(
        model, work, _closed_accelerations(model, work)))


@kernel
def accelerations(model, work):
    """At s, sd, forces: close the loops; write sdd, q, qd, qdd, z, zd, zdd.

    Returns False where they cannot be solved for; work is not to be relied on then.
    """
    if is_open(model):
        return open_accelerations(model, work)
    return _closed_accelerations(model, work)


@kernel
def choose(model, work):
    """Choose the independent joint coordinates; turn the frames of ball joints that are far on.

    Returns False where that is not possible.
    """
    if is_open(model):
        return choose_open(model, work)
    return _choose_closed(model, work)
