"""Semi-recursive formulation: relative joint coordinates, loops closed at cut joints.

Independent joint coordinates are chosen anew in each step; q and z follow from them.  Equations:
kernels.semi_recursive, kernels.loops, in space without loops kernels.articulated, of large
mechanisms kernels.clusters and kernels.clustered.
"""

import numpy as np

from mb_model.formulations.formulation import FormulationKind, Integrates
from mb_model.jit import kernel
from mb_model.kernels import clustered, semi_recursive
from mb_model.kernels.joints import PRISMATIC
from mb_model.kernels.storage import by_storage
from mb_model.mechanism_file.description import SingularPositionError

_accelerations = by_storage(semi_recursive.accelerations, clustered.accelerations)
_choose = by_storage(semi_recursive.choose, clustered.choose)


@kernel
def accelerations(model, work):
    """At s, sd, forces: write sdd, and from these q, qd, qdd, z, zd, zdd, lam of the loops.

    Returns False where they cannot be solved for.
    """
    return _accelerations(model, work)


@kernel
def choose(model, work):
    """Choose the independent joint coordinates; return False where that is not possible."""
    return _choose(model, work)


def _prepare(mechanism):
    """Return a model with the spanning tree of a mechanism, and that tree.

    Raises MechanismError in the plane for a mechanism that is not a tree of revolute and prismatic
    joints with loops of such joints, sliders and welded angles; see also tree_in_space.
    """
    # Imported here, as below: compiled code does not depend on it.
    if mechanism.dimension == 3:
        from mb_model.reactions.spatial_tree import tree_in_space
        return tree_in_space(mechanism)
    from mb_model.reactions.spanning_tree import tree_in_plane, write_tree
    tree, model = tree_in_plane(mechanism), mechanism.model.copy()
    write_tree(mechanism, tree, model)
    return model, tree


def _reactions(mechanism, tree, model, work):
    """Return the Reactions in a workspace; in space of its motion by matrix-R."""
    if mechanism.dimension == 3:
        from mb_model.kernels import entry_points
        from mb_model.reactions.spatial import spatial_reactions_of
        if not entry_points.forward_dynamics(mechanism.model, work):
            raise SingularPositionError(f'{mechanism.file}: its degrees of freedom do not decide '
                                        'the reactions here')
        return spatial_reactions_of(mechanism, work)
    from mb_model.reactions.joint_reactions import joint_reactions
    return joint_reactions(mechanism, tree, model, work)


def _enter(mechanism, tree, model, works):
    """Write joint coordinates and rates from q and qd."""
    if mechanism.dimension == 3:
        from mb_model.reactions.spatial_start import enter_tree
        enter_tree(mechanism, tree, model, works)
        return
    work = works[0]
    still = (0.0, np.zeros(2), np.zeros(2), 0.0)
    bodies = {None: still} | {name: _motion(mechanism, work, name) for name in mechanism.bodies}
    for k, joint in enumerate(tree.joints):
        angle, _, _, rate = bodies[joint.body]
        parent_angle, _, _, parent_rate = bodies[joint.parent]
        if joint.kind == PRISMATIC:
            axis = _turned(joint.axis, parent_angle)
            position, speed = _carry(bodies[joint.parent], joint.offset)
            own, own_speed = _carry(bodies[joint.body], joint.own)
            work['s'][k], work['sd'][k] = (own - position) @ axis, (own_speed - speed) @ axis
        else:
            work['s'][k], work['sd'][k] = angle - parent_angle, rate - parent_rate


def _motion(mechanism, work, body):
    """Return angle, position, velocity and turning rate of a body."""
    i, j = mechanism.body_indices(body)
    q, qd = work['q'], work['qd']
    u, ud = q[j:j + 2] - q[i:i + 2], qd[j:j + 2] - qd[i:i + 2]
    return np.arctan2(u[1], u[0]), q[i:i + 2], qd[i:i + 2], (
        u[0] * ud[1] - u[1] * ud[0]) / (u @ u)


def _turned(vector, angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]])


def _carry(motion, offset):
    """Return position and velocity of a point with an offset in a body's frame."""
    angle, origin, velocity, rate = motion
    arm = _turned(offset, angle)
    return origin + arm, velocity + rate * np.array([-arm[1], arm[0]])


FORMULATION = FormulationKind(
    'semi_recursive', 'relative joint coordinates, cut joints', Integrates.JOINTS, accelerations,
    semi_recursive.inverse, choose, sparse_dimensions=(3,), prepare=_prepare, enter=_enter,
    reactions=_reactions)
