"""Accelerations of an open tree of joints in space, in a time that grows as their number.

From the leaves on every joint gets the inertia of what hangs on it, as it yields (articulated
inertia), then accelerations follow from the ground on.  All about the origin.
Source: Featherstone 2008 (Rigid body dynamics algorithms), Sec. 7.3.
"""

from numba import boolean

from mb_model.jit import kernel
from mb_model.kernels.linear_algebra import SINGULAR
from mb_model.kernels.space_bodies import centre_of, inertia_of, need_of
from mb_model.record import MODEL, WORK
from mb_model.record.sparse import SPARSE_MODEL, SPARSE_WORK
from mb_model.registry.spatial import IN_SPACE


@kernel
def _add_inertia(mass, c, inertia, out):
    """Add [m 1, -m c^; m c^, I - m c^ c^] of a body to out (6, 6), c^ v = c x v."""
    x, y, z = mass * c[0], mass * c[1], mass * c[2]
    for row in range(3):
        out[7 * row] += mass
    for row, column, value in ((0, 1, -z), (0, 2, y), (1, 2, -x), (1, 0, z), (2, 0, -y),
                               (2, 1, x)):
        out[6 * (3 + row) + column] += value
        out[6 * row + 3 + column] -= value
    out[21] += inertia[0] + y * c[1] + z * c[2]
    out[28] += inertia[1] + x * c[0] + z * c[2]
    out[35] += inertia[2] + x * c[0] + y * c[1]
    for row, column, value in ((3, 4, inertia[3] - x * c[1]), (3, 5, inertia[4] - x * c[2]),
                               (4, 5, inertia[5] - y * c[2])):
        out[6 * row + column] += value
        out[6 * column + row] += value


@kernel
def begin_pass(model, work):
    """Write the inertia of every body alone, and what it needs at twist_dot = 0 beside its load."""
    still = work.wrench[0]
    for row in range(6):
        still[row] = 0.0
    for link in range(model.joints + 1):
        for row in range(36):
            work.articulated[link, row] = 0.0
        for row in range(6):
            work.bias[link, row] = -work.load[link, row]
    for k in range(model.solids):
        if model.solid_joint[k] >= 0:
            link = model.solid_joint[k] + 1
            centre, inertia = centre_of(model, work, k), inertia_of(model, work, k)
            need = need_of(model, work, k, centre, inertia, work.twist[link], still)
            for row in range(6):
                work.bias[link, row] += need[row]
            _add_inertia(model.solid_mass[k], centre, inertia, work.articulated[link])


@kernel
def _hand_on(model, work, link):
    """Write push, joint_inertia, joint_push of a joint; hand on to its parent what is left.

    Returns False if nothing resists the joint.
    """
    k, own, bias = link - 1, work.articulated[link], work.bias[link]
    parent = model.joint_parent[k]
    axis, push, total, resisting, size = work.axis[k], work.push[k], 0.0, 0.0, 0.0
    for row in range(6):
        push[row] = 0.0
        for column in range(6):
            push[row] += own[6 * row + column] * axis[column]
        resisting += axis[row] * push[row]
        size += abs(axis[row] * push[row])
        total -= axis[row] * bias[row]
    if not resisting > SINGULAR * size:
        return False
    work.joint_inertia[k], work.joint_push[k] = resisting, total
    if parent == 0:
        return True
    other = work.articulated[parent]
    for row in range(6):
        handed, share = bias[row], push[row] / resisting
        for column in range(6):
            left = own[6 * row + column] - share * push[column]
            other[6 * row + column] += left
            handed += left * work.axis_dot[k, column] * work.sd[k]
        work.bias[parent, row] += handed + share * total
    return True


@IN_SPACE.separate(boolean, MODEL, WORK, later=(SPARSE_MODEL, SPARSE_WORK))
def solve_tree(model, work):
    """After move_bodies and the loads: write sdd; return False if a joint moves without inertia."""
    begin_pass(model, work)
    for link in range(model.joints, 0, -1):
        if not _hand_on(model, work, link):
            return False
    for k in range(model.joints):
        link, parent, total = k + 1, model.joint_parent[k], work.joint_push[k]
        for row in range(6):
            work.twist_dot[link, row] = (work.twist_dot[parent, row]
                                         + work.axis_dot[k, row] * work.sd[k])
            total -= work.push[k, row] * work.twist_dot[link, row]
        work.sdd[k] = total / work.joint_inertia[k]
        for row in range(6):
            work.twist_dot[link, row] += work.axis[k, row] * work.sdd[k]
    return True
