"""Where a joint of URDF is that leads to a link which hangs on another joint already.

Its origin is the child's frame at 0, as of all joints.  But that frame is where the first joint is,
so files that close loops by a second parent, which URDF does not know, often mean the pin alone: it
is on both links where these are drawn, as in SDF.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from mb_import.machine import LinkJoint
from mb_model.space_api import Pose, rotation_vector

_NEAR = 1e-2        # of the machine's size, rad


def extent(poses: Mapping[str, Pose]) -> float:
    """Return how far links are from the first of them, at most [m]."""
    origins = np.array([pose.at for pose in poses.values()] or [np.zeros(3)])
    return float(np.linalg.norm(origins - origins[0], axis=1).max())


def where_drawn(joint: LinkJoint, poses: Mapping[str, Pose], size: float) -> LinkJoint:
    """Return a joint that closes a loop: itself if it is closed as drawn, else where it is drawn.

    poses: of links where they are drawn, in the world; size: of the machine [m].
    """
    first, second = (poses[link].then(frame)
                     for link, frame in zip(joint.links, joint.frames, strict=True))
    if (np.linalg.norm(second.at - first.at) <= _NEAR * size
            and _is_turned_alike(joint, first, second)):
        return joint
    return replace(joint, frames=(joint.frames[0], poses[joint.links[1]].inverse().then(first)))


def _is_turned_alike(joint: LinkJoint, first: Pose, second: Pose) -> bool:
    """Whether the directions agree that the joint holds together."""
    if joint.kind == 'spherical':
        return True
    if joint.axis is not None:
        gap = np.cross(first.turn @ joint.axis, second.turn @ joint.axis)
        return bool(np.linalg.norm(gap) <= _NEAR)
    return bool(np.linalg.norm(rotation_vector(first.turn.T @ second.turn)) <= _NEAR)
