"""What closes the loops of a tree of joints in space: cut joints, and equations beside the tree.

A cut keeps the origin or an axis of a body's frame where nodes say, which other bodies of the tree
carry: three rows, of which closing takes as many as are needed.
"""

from numba import void

from mb_model.jit import entry, kernel
from mb_model.kernels.held_nodes import (
    accelerate_nodes,
    begin_nodes,
    carrier_of,
    locate_nodes,
)
from mb_model.kernels.space_added import (
    added_accelerations,
    added_values,
    evaluate_row,
    row_of,
    turning,
)
from mb_model.kernels.space_joints import at, node_at, pose_bodies
from mb_model.kernels.storage import by_storage
from mb_model.kernels.twists import acceleration_at, add_push
from mb_model.record import MODEL, WORK
from mb_model.record.sparse import CLUSTER, SPARSE_MODEL, SPARSE_WORK
from mb_model.registry.spatial import IN_SPACE
from mb_model.space.vectors import vector

CUT = 3          # rows


@kernel
def closing_rows(model):
    """Return how many rows gap has."""
    return CUT * model.cuts + model.loops


@IN_SPACE.separate(void, MODEL, WORK, later=(SPARSE_MODEL, SPARSE_WORK))
def evaluate_gaps(model, work):
    """After pose_bodies: write gap, added coordinates and slopes of equations in loops."""
    if model.loops > 0:
        added_values(model, work)
    for c in range(model.cuts):
        locate_nodes(model, work, c, True)
        x = node_at(work.pose[model.cut_joint[c] + 1], model.cut_kind[c], model.cut_offset[c])
        y = vector(model, model.cut_point[c], work.q)
        locate_nodes(model, work, c, False)
        for axis in range(3):
            work.gap[CUT * c + axis] = x[axis] - y[axis]
    for c in range(model.loops):
        locate_nodes(model, work, model.cuts + c, True)
        work.gap[CUT * model.cuts + c] = evaluate_row(model, work, model.loop_constraint[c])
        locate_nodes(model, work, model.cuts + c, False)


@kernel
def _add_to_ground(model, work, joint, wrench, row):
    """Add the power of a wrench to row `out` of gap_s, per rate of every joint up to the ground."""
    k = joint
    while k >= 0:
        for component in range(6):
            work.gap_s[row, k] += wrench[component] * work.axis[k, component]
        k = model.joint_parent[k] - 1


@kernel
def _add_in_cluster(model, work, joint, wrench, row):
    """Do the same for the joints of the row's cluster: where loops close, others move all of it."""
    k, cluster = joint, model.row_cluster[row]
    while k >= 0 and model.joint_cluster[k] == cluster:
        for component in range(6):
            work.gap_s[row, model.joint_slot[k]] += wrench[component] * work.axis[k, component]
        k = model.joint_parent[k] - 1


_add_power = by_storage(_add_to_ground, _add_in_cluster)


@kernel
def _all_joints(model):
    return model.joints


@kernel
def _cluster_slots(model):
    return CLUSTER


_slope_columns = by_storage(_all_joints, _cluster_slots)


@kernel
def _add_path(model, work, joint, kind, x, axis, slope, row):
    """Add slope times the rate of a node along an axis per rate of joints that carry it."""
    force, wrench = work.wrench[0], work.wrench[1]
    for k in range(6):
        force[k] = wrench[k] = 0.0
    force[axis] = slope
    add_push(kind, x, force, wrench)
    _add_power(model, work, joint, wrench, row)


@kernel
def _add_node(model, work, joint, column, slope, out):
    """Add the same of a coordinate of a node that a joint carries."""
    if slope != 0.0:
        _add_path(model, work, joint, model.point_kind[column // 3], at(work.q, column // 3 * 3),
                  column % 3, slope, out)


@kernel
def _add_column(model, work, column, slope, out):
    """Add to row `out` of gap_s what a coordinate with a slope has in it.

    Added coordinates follow from nodes where the tree has them.
    """
    if column < model.moving:
        _add_node(model, work, carrier_of(model, work, column // 3), column, slope, out)
        return
    c = column - model.moving
    row, push = row_of(model, work.added_row[c]), slope / work.added_slope[c]
    for e in range(model.row_entries[row], model.row_moving[row]):
        node = model.entry_column[e] // 3
        if model.entry_column[e] < model.moving:
            _add_node(model, work, model.point_joint[node], model.entry_column[e],
                      -push * work.slopes[e], out)


@IN_SPACE.separate(void, MODEL, WORK, later=(SPARSE_MODEL, SPARSE_WORK))
def evaluate_loops(model, work):
    """After pose_bodies: write gap and gap_s, and what evaluate_gaps does."""
    evaluate_gaps(model, work)
    begin_nodes(model, work)
    for row in range(closing_rows(model)):
        for k in range(_slope_columns(model)):
            work.gap_s[row, k] = 0.0
    for c in range(model.cuts):
        locate_nodes(model, work, c, True)
        v, joint = model.cut_point[c], model.cut_joint[c]
        x = node_at(work.pose[joint + 1], model.cut_kind[c], model.cut_offset[c])
        for axis in range(3):
            _add_path(model, work, joint, model.cut_kind[c], x, axis, 1.0, CUT * c + axis)
            for t in range(model.vector_terms[v], model.vector_terms[v + 1]):
                if model.term_node[t] < model.moving:
                    carrier = carrier_of(model, work, model.term_node[t] // 3)
                    _add_node(model, work, carrier, model.term_node[t] + axis,
                              -model.term_weight[t], CUT * c + axis)
        locate_nodes(model, work, c, False)
    for c in range(model.loops):
        k, out = model.loop_constraint[c], CUT * model.cuts + c
        row = row_of(model, k)
        locate_nodes(model, work, model.cuts + c, True)
        for e in range(model.row_entries[row], model.row_moving[row]):
            _add_column(model, work, model.entry_column[e], work.slopes[e], out)
        locate_nodes(model, work, model.cuts + c, False)


@IN_SPACE.separate(void, MODEL, WORK, WORK['s'], later=(SPARSE_MODEL, SPARSE_WORK, WORK['s']))
def loop_accelerations(model, work, out):
    """After accelerate_bodies: write the second derivative of gap."""
    for c in range(model.cuts):
        joint, kind = model.cut_joint[c] + 1, model.cut_kind[c]
        a = acceleration_at(work.twist[joint], work.twist_dot[joint], kind,
                            node_at(work.pose[joint], kind, model.cut_offset[c]))
        accelerate_nodes(model, work, c, True)
        b = vector(model, model.cut_point[c], work.qdd)
        accelerate_nodes(model, work, c, False)
        for axis in range(3):
            out[CUT * c + axis] = a[axis] - b[axis]
    if model.loops > 0:
        added_accelerations(model, work)
    for c in range(model.loops):
        k = model.loop_constraint[c]
        row, total = row_of(model, k), turning(model, work, k)
        accelerate_nodes(model, work, model.cuts + c, True)
        for e in range(model.row_entries[row], model.row_moving[row]):
            total += work.slopes[e] * work.qdd[model.entry_column[e]]
        accelerate_nodes(model, work, model.cuts + c, False)
        out[CUT * model.cuts + c] = total


@entry
def pose_tree(models, works):
    """At s, turn: write pose, axis, the nodes of q, and gap of what may close loops."""
    pose_bodies(models[0], works[0])
    evaluate_gaps(models[0], works[0])


@entry
def slope_loops(models, works):
    """At s, turn: do the same, and write gap_s of the loops."""
    pose_bodies(models[0], works[0])
    evaluate_loops(models[0], works[0])
