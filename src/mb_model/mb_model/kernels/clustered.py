"""Accelerations of a large tree of joints in space with loops, in a time that grows as its size.

The articulated-body pass of kernels.articulated over clusters of joints, see kernels.clusters: each
moves by its independent joints, and hands on to what carries it the inertia that is left.  All
about the origin.  With flow the twists of its bodies per independent rate, at rest of these and of
the carrier accelerations `still`:

    M_c y = sum flow^T (-bias - I still) - U^T twist_dot_carrier,   U = sum I flow,
    I_carrier += sum I - U M_c^-1 U^T

Source: Jain 2012 (Multibody graph transformations and analysis, part II), Sec. 5.
"""

from mb_model.jit import kernel
from mb_model.kernels.articulated import begin_pass
from mb_model.kernels.clusters import solve_cluster
from mb_model.kernels.linear_algebra import cholesky_factor, cholesky_solve
from mb_model.kernels.space_joints import accelerate_bodies
from mb_model.kernels.space_loops import loop_accelerations


@kernel
def solve_clusters(model, work):
    """After the motion and the loads: write sdd; return False if a cluster moves without inertia.
    """
    for k in range(model.joints):
        work.sdd[k] = 0.0
    accelerate_bodies(model, work, work.sdd)
    loop_accelerations(model, work, work.vector1)
    for c in range(model.clusters):
        solve_cluster(model, work, c, work.vector1, work.vector2)
    for k in range(model.joints):
        work.sdd[k] = -work.vector2[k]
    begin_pass(model, work)
    for c in range(model.clusters - 1, -1, -1):
        if not _give_way(model, work, c):
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
def _give_way(model, work, c):
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
    left, push = work.vector3, work.cluster_push
    for row in range(6):
        for i in range(freedoms):
            left[i] = push[begin + i, row]
            work.bias[parent, row] += left[i] * rates[i]
        cholesky_solve(work.cluster_mass, left, freedoms)
        for column in range(6):
            total = 0.0
            for i in range(freedoms):
                total += left[i] * push[begin + i, column]
            work.articulated[parent, 6 * row + column] -= total
        # What follows needs M_c^-1 U^T alone; rows behind this one still need U^T.
        for i in range(freedoms):
            work.cluster_flow[i, 0, row] = left[i]
    for i in range(freedoms):
        for row in range(6):
            push[begin + i, row] = work.cluster_flow[i, 0, row]
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
