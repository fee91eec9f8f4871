"""Nodes of large mechanisms that a row of closing sees on another body than the tree has them on.

Bodies share nodes; the tree carries each with the first of them.  In a loop that another one
carries, that body may be in the other loop: it moves as the carrier does only where that is closed.
So rows see each node on the body that leaves the fewest joints in between, see
reactions.held_nodes; equations of the carrier close the difference.  A body may have a sum of nodes
alone, as a direction of its carrier's: they are where that sum is right.  In full storage rows have
all joints, and see nodes where the tree has them.
"""

from mb_model.jit import kernel
from mb_model.kernels.space_joints import node_at
from mb_model.kernels.storage import by_storage
from mb_model.kernels.twists import acceleration_at


@kernel
def _carrier(model, h, held):
    """Return (node, joint, offset in the joint's frame) of a node as a row, or the tree, has it."""
    node = model.held_node[h]
    if held:
        return node, model.held_joint[h], model.held_offset[h]
    return node, model.point_joint[node], model.point_offset[node]


@kernel
def _locate_nodes(model, work, k, held):
    """Write q of the nodes of a row."""
    for h in range(model.held_begin[k], model.held_begin[k + 1]):
        node, joint, offset = _carrier(model, h, held)
        x, y, z = node_at(work.pose[joint + 1], model.point_kind[node], offset)
        work.q[3 * node], work.q[3 * node + 1], work.q[3 * node + 2] = x, y, z
        work.node_joint[node] = joint


@kernel
def _accelerate_nodes(model, work, k, held):
    """Write qdd of the nodes of a row."""
    for h in range(model.held_begin[k], model.held_begin[k + 1]):
        node, joint, offset = _carrier(model, h, held)
        kind = model.point_kind[node]
        work.qdd[3 * node], work.qdd[3 * node + 1], work.qdd[3 * node + 2] = acceleration_at(
            work.twist[joint + 1], work.twist_dot[joint + 1], kind,
            node_at(work.pose[joint + 1], kind, offset))


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
def _nothing_of(model, work, k, held):
    pass


# Before slopes of rows; for what cut or equation k of the loops reads of q or of qdd: held, and
# after it as the tree has it; the joint that carries a node then.
begin_nodes = by_storage(_nothing, _begin_nodes)
locate_nodes = by_storage(_nothing_of, _locate_nodes)
accelerate_nodes = by_storage(_nothing_of, _accelerate_nodes)
carrier_of = by_storage(_joint_of_tree, _joint_of_row)
