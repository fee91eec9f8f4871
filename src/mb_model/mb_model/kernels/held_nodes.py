"""Nodes of large mechanisms that a row of closing sees on another body than the tree has them on.

Bodies share nodes; the tree carries each with the first of them.  In a loop that another one
carries, that body may be in the other loop: it moves as the carrier does only where that is closed.
So rows see each node on the body that leaves the fewest joints in between, see
reactions.held_nodes; those of the carrier close the difference.  A body may have a sum of nodes
alone, as a direction of its carrier's: they are where that sum is right.  In full storage rows have
all joints, and see nodes where the tree has them.
"""

from mb_model.jit import kernel
from mb_model.kernels.space_joints import node_at
from mb_model.kernels.storage import by_storage
from mb_model.kernels.twists import acceleration_at


@kernel
def _place(model, work, node, joint, place):
    """Write q of a node that is at a place of a joint's frame."""
    x, y, z = node_at(work.pose[joint + 1], model.point_kind[node], place)
    work.q[3 * node], work.q[3 * node + 1], work.q[3 * node + 2] = x, y, z
    work.node_joint[node] = joint


@kernel
def _accelerate(model, work, node, joint, place):
    """Write qdd of a node that is at a place of a joint's frame."""
    kind = model.point_kind[node]
    work.qdd[3 * node], work.qdd[3 * node + 1], work.qdd[3 * node + 2] = acceleration_at(
        work.twist[joint + 1], work.twist_dot[joint + 1], kind,
        node_at(work.pose[joint + 1], kind, place))


@kernel
def _place_held(model, work, k):
    for h in range(model.held_begin[k], model.held_begin[k + 1]):
        _place(model, work, model.held_node[h], model.held_joint[h], model.held_place[h])


@kernel
def _place_back(model, work, k):
    for h in range(model.held_begin[k], model.held_begin[k + 1]):
        node = model.held_node[h]
        _place(model, work, node, model.point_joint[node], model.point_place[node])


@kernel
def _accelerate_held(model, work, k):
    for h in range(model.held_begin[k], model.held_begin[k + 1]):
        _accelerate(model, work, model.held_node[h], model.held_joint[h], model.held_place[h])


@kernel
def _accelerate_back(model, work, k):
    for h in range(model.held_begin[k], model.held_begin[k + 1]):
        node = model.held_node[h]
        _accelerate(model, work, node, model.point_joint[node], model.point_place[node])


@kernel
def _begin_nodes(model, work):
    for node in range(model.moving // 3):
        work.node_joint[node] = model.point_joint[node]


@kernel
def _joint_of_tree(model, work, node):
    return model.point_joint[node]


@kernel
def _joint_of_row(model, work, node):
    return work.node_joint[node]


@kernel
def _nothing(model, work):
    pass


@kernel
def _nothing_of(model, work, k):
    pass


# Before slopes of rows; before and after what cut or equation k of the loops reads of q or of qdd;
# the joint that carries a node then.
begin_nodes = by_storage(_nothing, _begin_nodes)
place_held = by_storage(_nothing_of, _place_held)
place_back = by_storage(_nothing_of, _place_back)
accelerate_held = by_storage(_nothing_of, _accelerate_held)
accelerate_back = by_storage(_nothing_of, _accelerate_back)
carrier_of = by_storage(_joint_of_tree, _joint_of_row)
