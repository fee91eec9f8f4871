"""Rigid groups: bodies that are welded together, with the frame of the first of them."""

from collections import deque
from dataclasses import dataclass

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.mechanism_file.description import Description, MechanismError
from mb_model.registry.joints import kind_of
from mb_model.space.body import GROUND, Pose
from mb_model.space.joint import Joint
from mb_model.space.motion import at_zero

_SAME = 1e-9        # in sizes of the mechanism, and of unit vectors


@dataclass
class Group:
    """Bodies that move as one: for each its origin (3) and axes (3, 3) in the group's frame.

    alone: it shares no nodes, as points in it may change.
    """

    name: str
    members: dict[str, tuple[FloatArray, FloatArray]]
    slender: bool = False
    alone: bool = False


def single_groups(description: Description) -> dict[str, Group]:
    """Return body -> Group of it alone, the ground's with the global axes as its frame."""
    return {name: Group(name, {name: (np.zeros(3), np.eye(3))},
                        name != GROUND and description.bodies[name].slender,
                        name != GROUND and description.bodies[name].changeable)
            for name in (GROUND, *description.bodies)}


def rigid_groups(description: Description) -> dict[str, Group]:
    """Return body -> Group; the ground's has the global axes as its frame."""
    groups = single_groups(description)
    for joint in description.joints.values():
        if kind_of(joint).rigid(joint):
            _weld(description, groups, joint)
    return groups


def _weld(description: Description, groups: dict[str, Group], joint: Joint) -> None:
    """Let the bodies of a weld be one group."""
    first, second = joint.bodies
    if groups[second].members.keys() & {GROUND}:
        first, second, here = second, first, 1
    else:
        here = 0
    one, other = groups[first], groups[second]
    origin, axes = one.members[first]
    turn = axes @ joint.frames[here] @ joint.frames[1 - here].T       # from second to the group
    at = origin + axes @ joint.offsets[here] - turn @ joint.offsets[1 - here]
    if one is other:
        there, turned = one.members[second]
        if np.abs(there - at).max() > _SAME or np.abs(turned - turn).max() > _SAME:
            raise MechanismError(f'{description.file}: joints.{joint.name}: {first} and {second} '
                                 'are welded otherwise already')
        return
    own, own_axes = other.members[second]
    moved_axes = turn @ own_axes.T                                    # from its group's frame
    moved = at - moved_axes @ own
    for name, (offset, frame) in other.members.items():
        one.members[name] = moved + moved_axes @ offset, moved_axes @ frame
        groups[name] = one
    one.slender = one.slender and other.slender
    one.alone = one.name != GROUND and (one.alone or other.alone)


def start_poses(description: Description) -> dict[str, Pose]:
    """Return body -> Pose near the start, the ground's too.

    A body without a pose in the file is put where a joint with a body that has one is at zero:
    frames of the joint and points agree.  Raises MechanismError if no joint leads to it.
    """
    poses = {GROUND: Pose(np.zeros(3), np.eye(3))}
    poses |= {name: body.pose for name, body in description.bodies.items() if body.pose}
    waiting = deque(poses)
    while waiting:
        known = waiting.popleft()
        for joint in description.joints.values():
            if known in joint.bodies and kind_of(joint).motions is not None:
                here = joint.bodies.index(known)
                other = joint.bodies[1 - here]
                if other not in poses:
                    poses[other] = _beside(poses[known], joint, here)
                    waiting.append(other)
    for name in description.bodies:
        if name not in poses:
            raise MechanismError(f'{description.file}: bodies.{name}.pose: missing, no joint says '
                                 'where the body starts')
    return poses


def _beside(pose: Pose, joint: Joint, here: int) -> Pose:
    """Return the Pose of the other body of a joint, of which body number `here` has a pose."""
    known, other = joint.frames[here], joint.frames[1 - here]
    between = at_zero(kind_of(joint).chain(joint))
    turn = pose.turn @ known @ (between if here == 0 else between.T) @ other.T
    return Pose(pose.of(joint.offsets[here]) - turn @ joint.offsets[1 - here], turn)
