"""URDF, the robot description of ROS, written from a mechanism."""

from xml.etree import ElementTree

import numpy as np

from mb_evaluation.robot.tree import (
    FIXED,
    PRISMATIC,
    WORLD,
    RobotJoint,
    RobotLink,
    RobotTree,
    robot_tree,
)
from mb_evaluation.robot.upright import standing
from mb_evaluation.scene import Solid, Solids
from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.space_api import roll_pitch_yaw, spatial_description

GREATEST = '1e9'            # effort and speed that URDF asks for and mechanism files do not know
Element = ElementTree.Element


def write_urdf(mechanism: Mechanism, tree: RobotTree | None = None) -> str:
    """Return the URDF text of a mechanism; raises MechanismError for bodies without support.

    tree: its robot_tree, if it is known.  The root is the link `world`, in which it stands upright.
    """
    tree, solids = tree or robot_tree(mechanism), Solids(mechanism)
    bodies = (mechanism if mechanism.dimension == 3 else spatial_description(mechanism)).bodies
    root = ElementTree.Element('robot', name=mechanism.name)
    _add(root, 'link', name=WORLD)
    stand = _add_holding(root, f'{WORLD}_to_{mechanism.name}', FIXED, WORLD, mechanism.name)
    _add_origin(stand, np.zeros(3), standing(mechanism.gravity))
    for link in tree.links:
        element = _add(root, 'link', name=link.name)
        if link.body:
            _add_inertial(element, bodies[link.body], link)
        for solid in (solids.bodies[link.body] if link.body else
                      solids.ground if link is tree.links[0] else ()):
            _add_visual(element, solid, link)
    reach = (10.0 * mechanism.model['scale'][0, 0] if mechanism.dimension == 3 else
             sum(body.length for body in mechanism.bodies.values()))
    for joint in tree.joints:
        _add_joint(root, joint, reach)
    ElementTree.indent(root)
    return '<?xml version="1.0"?>\n' + ElementTree.tostring(root, encoding='unicode') + '\n'


def _add_inertial(element: Element, body, link: RobotLink):
    if body.mass <= 0.0:
        return
    inertial = _add(element, 'inertial')
    _add_origin(inertial, link.axes.T @ (np.array(body.centre_of_gravity) - link.origin),
                link.axes.T)
    _add(inertial, 'mass', value=_text(body.mass))
    numbers = {name: _text(body.inertia[row, column]) for name, row, column in (
        ('ixx', 0, 0), ('ixy', 0, 1), ('ixz', 0, 2), ('iyy', 1, 1), ('iyz', 1, 2), ('izz', 2, 2))}
    _add(inertial, 'inertia', **numbers)


def _add_visual(element: Element, solid: Solid, link: RobotLink):
    """Add the visual of a solid; a plate is shown by the bars around it."""
    if solid.kind == 'plate':
        return
    visual = _add(element, 'visual')
    _add_origin(visual, link.axes.T @ (solid.centre - link.origin), link.axes.T @ solid.axes)
    measures = {'size': _text(*solid.size)} if solid.kind == 'box' else dict(zip(
        ('radius', 'length'), map(_text, solid.size), strict=False))
    _add(_add(visual, 'geometry'), solid.kind, **measures)


def _add_joint(root: Element, joint: RobotJoint, reach: float):
    """Add a joint; reach: farther than anything can slide [m]."""
    element = _add_holding(root, joint.name, joint.kind, joint.parent, joint.child)
    _add_origin(element, joint.origin, joint.turn)
    if joint.kind != FIXED:
        _add(element, 'axis', xyz=_text(*joint.axis))
    if joint.kind == PRISMATIC:
        _add(element, 'limit', lower=_text(-reach), upper=_text(reach), effort=GREATEST,
             velocity=GREATEST)


def _add_holding(root: Element, name: str, kind: str, parent: str, child: str) -> Element:
    """Add a joint with the links that it holds together."""
    element = _add(root, 'joint', name=name, type=kind)
    _add(element, 'parent', link=parent)
    _add(element, 'child', link=child)
    return element


def _add_origin(parent: Element, origin: FloatArray, turn: FloatArray):
    _add(parent, 'origin', xyz=_text(*origin), rpy=_text(*roll_pitch_yaw(turn)))


def _add(parent: Element, kind: str, **attributes: str) -> Element:
    return ElementTree.SubElement(parent, kind, **attributes)


def _text(*numbers: float) -> str:
    """Return numbers as an attribute, without loss; zeros have no sign."""
    return ' '.join(repr(float(number) + 0.0) for number in numbers)
