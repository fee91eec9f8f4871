"""URDF, the robot description of ROS, written from a mechanism that stands in the world."""

from collections.abc import Mapping, Sequence

import numpy as np

from mb_evaluation.robot.upright import standing
from mb_evaluation.scene import Solid, Solids
from mb_import import (
    CONTINUOUS,
    FIXED,
    PRISMATIC,
    WORLD,
    Inertial,
    Link,
    LinkJoint,
    Machine,
    Notes,
    RobotJoint,
    RobotLink,
    RobotTree,
    Shape,
    machine_urdf,
    robot_tree,
)
from mb_model import Mechanism
from mb_model.space_api import Pose, SpatialBody, spatial_description

_KINDS = {CONTINUOUS: 'revolute', PRISMATIC: 'prismatic', FIXED: 'weld'}
_STILL = Pose(np.zeros(3), np.eye(3))


def write_urdf(mechanism: Mechanism, tree: RobotTree | None = None) -> str:
    """Return the URDF text of a mechanism; raises MechanismError for bodies without support.

    tree: its robot_tree, if it is known.  The root is the link `world`, in which it stands upright.
    """
    tree, solids = tree or robot_tree(mechanism), Solids(mechanism)
    bodies = (mechanism if mechanism.dimension == 3 else spatial_description(mechanism)).bodies
    links = {}
    for link in tree.links:
        seen = (solids.bodies[link.body] if link.body else
                solids.ground if link is tree.links[0] else ())
        links[link.name] = Link(link.name, _inertial(bodies, link), _shapes(seen, link))
    reach = (10.0 * mechanism.model['scale'][0, 0] if mechanism.dimension == 3 else
             sum(body.length for body in mechanism.bodies.values()))
    stand = LinkJoint(f'{WORLD}_to_{mechanism.name}', 'weld', (WORLD, mechanism.name),
                      (Pose(np.zeros(3), standing(mechanism.gravity)), _STILL))
    joints = [stand, *(_joint(joint, reach) for joint in tree.joints)]
    return machine_urdf(Machine(mechanism.name, links, {one.name: one for one in joints}),
                        Notes(mechanism.file))


def _joint(joint: RobotJoint, reach: float) -> LinkJoint:
    """Return a joint; reach: farther than anything can slide [m]."""
    kind, frames = _KINDS[joint.kind], (Pose(joint.origin, joint.turn), _STILL)
    links = joint.parent, joint.child
    if joint.kind == FIXED:
        return LinkJoint(joint.name, kind, links, frames)
    if joint.kind == PRISMATIC:
        return LinkJoint(joint.name, kind, links, frames, joint.axis, lower=-reach, upper=reach)
    return LinkJoint(joint.name, kind, links, frames, joint.axis)


def _inertial(bodies: Mapping[str, SpatialBody], link: RobotLink) -> Inertial | None:
    body = bodies[link.body] if link.body else None
    if body is None or body.mass <= 0.0:
        return None
    return Inertial(body.mass, link.axes.T @ (np.array(body.centre_of_gravity) - link.origin),
                    link.axes.T @ body.inertia @ link.axes)


def _shapes(solids: Sequence[Solid], link: RobotLink) -> tuple[Shape, ...]:
    """Return what is seen of a link; a plate is shown by the bars around it."""
    return tuple(Shape(solid.kind, solid.size, Pose(
        link.axes.T @ (solid.centre - link.origin), link.axes.T @ solid.axes))
        for solid in solids if solid.kind != 'plate')
