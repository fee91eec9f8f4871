"""Where links are, from the values of joints."""

from collections.abc import Mapping
from math import pi

import numpy as np

from mb_import.joint_tree import still
from mb_import.machine import WORLD, LinkJoint, Machine
from mb_model.space_api import Pose, rotation


def moved(joint: LinkJoint, value: float) -> Pose:
    """Return the pose of the joint's second frame in its first one at a value of its coordinate."""
    if joint.axis is None or not value:
        return still()
    if joint.kind == 'prismatic':
        return Pose(value * joint.axis, np.eye(3))
    travel = joint.pitch * value / (2.0 * pi) if joint.kind == 'screw' else 0.0
    return Pose(travel * joint.axis, rotation(value * joint.axis))


def drawn_poses(machine: Machine, values: Mapping[str, float]) -> dict[str, Pose]:
    """Return link -> pose in the world, as drawn, but joints at `values` where these name them."""
    poses = {WORLD: still()}
    for joint in machine.joints.values():
        poses[joint.links[1]] = poses[joint.links[0]].then(joint.frames[0]).then(
            moved(joint, values.get(joint.name, joint.drawn))).then(joint.frames[1].inverse())
    return poses
