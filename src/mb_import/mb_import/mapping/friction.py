"""Below which velocity a joint sticks: a guess, as descriptions do not say it."""

from collections.abc import Mapping

import numpy as np

from mb_import.drawing import drawn_poses
from mb_import.machine import LinkJoint, Machine
from mb_model.space_api import Pose

_LEAST = 0.01           # [rad/s or m/s]
_STOPPING = 0.01        # in which full friction may stop what hangs on a joint, at least [s]


def slip_velocities(machine: Machine) -> dict[str, float]:
    """Return joint -> the velocity of the peak of its friction [rad/s or m/s].

    So large that what hangs on the joint as drawn is not stopped sooner than models and filters
    step: v = friction times time over inertia.  What loops tie to other links has more of it.
    """
    poses = drawn_poses(machine, {})
    tied = {link for closure in machine.closures.values() for link in closure.links}
    velocities = {}
    for name, joint in (machine.joints | machine.closures).items():
        if joint.friction and joint.is_scalar:
            velocities[name] = _LEAST
            links = _behind(machine, joint)
            inertia = joint.armature + _carried(machine, poses, joint, links)
            if inertia > 0.0 and not tied & links:
                velocities[name] = max(_LEAST, joint.friction * _STOPPING / inertia)
    return velocities


def _behind(machine: Machine, joint: LinkJoint) -> set[str]:
    """Return the links that hang on a joint."""
    links = {joint.links[1]}
    for other in machine.joints.values():       # parents before children
        if other.links[0] in links:
            links.add(other.links[1])
    return links


def _carried(machine: Machine, poses: Mapping[str, Pose], joint: LinkJoint,
             links: set[str]) -> float:
    """Return the inertia of links along a joint's coordinate [kg or kg m^2]."""
    frame = poses[joint.links[1]].then(joint.frames[1])
    axis, total = frame.turn @ joint.axis, 0.0
    for link in links:
        inertial = machine.links[link].inertial
        if inertial is None:
            continue
        if joint.kind == 'prismatic':
            total += inertial.mass
            continue
        local = poses[link].turn.T @ axis
        arm = np.cross(axis, poses[link].of(inertial.centre) - frame.at)
        total += float(local @ inertial.inertia @ local + inertial.mass * arm @ arm)
    return total
