"""Where links are: forward kinematics along the tree of a machine."""

from collections.abc import Mapping

import numpy as np

from mb_import.joint_tree import still
from mb_import.machine import WORLD, LinkJoint
from mb_model.space_api import Pose, rotation


def link_poses(joints: Mapping[str, LinkJoint],
               values: Mapping[str, float] | None = None) -> dict[str, Pose]:
    """Return the global pose of each link of a tree, parents before children.

    values: coordinates of joints [rad or m], as drawn else.  Joints with more than one degree of
    freedom are as drawn.
    """
    values = values or {}
    poses = {WORLD: still()}
    for name, joint in joints.items():
        moved = motion(joint, values.get(name, joint.drawn))
        poses[joint.links[1]] = (poses[joint.links[0]].then(joint.frames[0]).then(moved)
                                 .then(joint.frames[1].inverse()))
    return poses


def motion(joint: LinkJoint, value: float) -> Pose:
    """Return the pose of the second frame of a joint in its first one, at its coordinate."""
    if joint.axis is None or not joint.is_scalar:
        return still()
    along = {'prismatic': value, 'screw': joint.pitch * value / (2.0 * np.pi)}.get(joint.kind, 0.0)
    about = 0.0 if joint.kind == 'prismatic' else value
    return Pose(along * joint.axis, rotation(about * joint.axis))
