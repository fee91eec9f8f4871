"""Where bodies in space start: as their file says, or as their joints put them."""

from collections import deque

import numpy as np

from mb_model.mechanism_file.description import MechanismError
from mb_model.registry.joints import kind_of
from mb_model.space.body import GROUND, Pose
from mb_model.space.motion import at_zero


def start_poses(description):
    """Return body -> Pose near the start, the ground's too.

    A body without a pose in the file is put where a joint with a body that has one is at zero:
    frames of the joint and places agree.  Raises MechanismError if no joint leads to it.
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
                    poses[other] = _beside(poses[known], joint, here, description.start)
                    waiting.append(other)
    for name in description.bodies:
        if name not in poses:
            raise MechanismError(f'{description.file}: bodies.{name}.pose: missing, no joint says '
                                 'where the body starts')
    return poses


def _beside(pose, joint, here, start):
    """Return the Pose of the other body of a joint, of which body number `here` has a pose."""
    known, other = joint.frames[here], joint.frames[1 - here]
    between = at_zero(kind_of(joint).chain(joint))
    turn = pose.turn @ known @ (between if here == 0 else between.T) @ other.T
    return Pose(pose.of(joint.places[here]) - turn @ joint.places[1 - here], turn)
