"""URDF, the robot description of ROS, written from a mechanism."""

from xml.etree import ElementTree

import numpy as np

from mb_evaluation.robot.tree import CONTINUOUS, FIXED, PRISMATIC, WORLD, robot_tree
from mb_evaluation.robot.upright import upright
from mb_evaluation.scene import Solid, Solids

GREATEST = '1e9'            # effort and speed that URDF asks for and mechanism files do not know


def write_urdf(mechanism):
    """Return the URDF text of a planar mechanism; raises ValueError for bodies without a joint.

    Its root is the link `world`, in which the mechanism stands upright.
    """
    tree, solids = robot_tree(mechanism), Solids(mechanism)
    root = ElementTree.Element('robot', name=mechanism.name)
    _add(root, 'link', name=WORLD)
    _add_root(root, mechanism, solids)
    for link in tree.links[1:]:
        element = _add(root, 'link', name=link.name)
        if link.body:
            _add_inertial(element, mechanism.bodies[link.body], link.origin)
            for solid in solids.bodies[link.body]:
                _add_visual(element, solid, link.origin)
    reach = sum(body.length for body in mechanism.bodies.values())
    for joint in tree.joints:
        _add_joint(root, joint, reach)
    ElementTree.indent(root)
    return '<?xml version="1.0"?>\n' + ElementTree.tostring(root, encoding='unicode') + '\n'


def _add_root(root, mechanism, solids):
    """Add the link that stands still, with its fixed points, and how it stands in the world."""
    element = _add(root, 'link', name=mechanism.name)
    for solid in solids.ground:
        _add_visual(element, solid, (0.0, 0.0))
    stand = _add(root, 'joint', name=f'{WORLD}_to_{mechanism.name}', type=FIXED)
    _add(stand, 'parent', link=WORLD)
    _add(stand, 'child', link=mechanism.name)
    _add(stand, 'origin', xyz=_text(0.0, 0.0, 0.0), rpy=_text(*upright(mechanism.gravity), 0.0))


def _add_inertial(element, body, origin):
    """Add mass and inertia about the centre of gravity; a planar file has it about z alone."""
    if body.mass <= 0.0:
        return
    inertial = _add(element, 'inertial')
    _add(inertial, 'origin', xyz=_text(*_less(body.centre_of_gravity, origin), 0.0), rpy='0 0 0')
    _add(inertial, 'mass', value=_text(body.mass))
    moment = _text(body.inertia)
    _add(inertial, 'inertia', ixx=moment, ixy='0', ixz='0', iyy=moment, iyz='0', izz=moment)


def _add_visual(element, solid: Solid, origin):
    """Add the visual of a solid; a plate is shown by the bars around it."""
    if solid.kind == 'plate':
        return
    visual = _add(element, 'visual')
    x, y, z = solid.centre
    _add(visual, 'origin', xyz=_text(*_less((x, y), origin), z),
         rpy=_text(0.0, 0.0, np.arctan2(solid.axes[1, 0], solid.axes[0, 0])))
    measures = {'size': _text(*solid.size)} if solid.kind == 'box' else {
        'radius': _text(solid.size[0]), 'length': _text(solid.size[1])}
    _add(_add(visual, 'geometry'), solid.kind, **measures)


def _add_joint(root, joint, reach):
    """Add a joint; reach: farther than anything can slide [m]."""
    element = _add(root, 'joint', name=joint.name, type=joint.kind)
    _add(element, 'parent', link=joint.parent)
    _add(element, 'child', link=joint.child)
    _add(element, 'origin', xyz=_text(*joint.place, 0.0), rpy=_text(0.0, 0.0, joint.angle))
    if joint.kind == CONTINUOUS:
        _add(element, 'axis', xyz='0 0 1')
    elif joint.kind == PRISMATIC:
        _add(element, 'axis', xyz=_text(*joint.axis, 0.0))
        _add(element, 'limit', lower=_text(-reach), upper=_text(reach), effort=GREATEST,
             velocity=GREATEST)


def _less(place, origin):
    return place[0] - origin[0], place[1] - origin[1]


def _add(parent, kind, **attributes):
    return ElementTree.SubElement(parent, kind, **attributes)


def _text(*numbers):
    """Return numbers as an attribute, without loss."""
    return ' '.join(repr(float(number)) for number in numbers)
