"""URDF, the robot description of ROS, written from a mechanism in space."""

from xml.etree import ElementTree

import numpy as np

from mb_evaluation.robot.space.tree import FIXED, PRISMATIC, spatial_robot_tree
from mb_evaluation.robot.upright import standing
from mb_evaluation.scene import Solids
from mb_model.space_api import require_space

GREATEST = '1e9'            # effort and speed that URDF asks for and mechanism files do not know


def write_spatial_urdf(mechanism):
    """Return the URDF text of a mechanism in space; raises MechanismError in the plane.

    Its root is the link `world`, in which the mechanism stands upright.
    """
    require_space(mechanism, 'write_spatial_urdf')
    tree, solids = spatial_robot_tree(mechanism), Solids(mechanism)
    root = ElementTree.Element('robot', name=mechanism.name)
    _add(root, 'link', name='world')
    stand = _add(root, 'joint', name=f'world_to_{mechanism.name}', type='fixed')
    _add(stand, 'parent', link='world')
    _add(stand, 'child', link=mechanism.name)
    _add(stand, 'origin', xyz='0 0 0', rpy=_text(*roll_pitch_yaw(standing(mechanism.gravity))))
    for link in tree.links:
        element = _add(root, 'link', name=link.name)
        if link.body:
            _add_inertial(element, mechanism.bodies[link.body], link)
            for solid in solids.bodies[link.body]:
                visual = _add(element, 'visual')
                _add_origin(visual, link.axes.T @ (solid.centre - link.origin),
                            link.axes.T @ solid.axes)
                _add(_add(visual, 'geometry'), solid.kind, **_measures(solid))
    reach = 10.0 * mechanism.model['scale'][0, 0]
    for joint in tree.joints:
        element = _add(root, 'joint', name=joint.name, type=joint.kind)
        _add(element, 'parent', link=joint.parent)
        _add(element, 'child', link=joint.child)
        _add_origin(element, joint.place, joint.turn)
        if joint.kind != FIXED:
            _add(element, 'axis', xyz=_text(*joint.axis))
        if joint.kind == PRISMATIC:
            _add(element, 'limit', lower=_text(-reach), upper=_text(reach), effort=GREATEST,
                 velocity=GREATEST)
    ElementTree.indent(root)
    return '<?xml version="1.0"?>\n' + ElementTree.tostring(root, encoding='unicode') + '\n'


def roll_pitch_yaw(turn):
    """Return the angles (3) [rad] of a rotation matrix, about fixed x, y, z: REP-103."""
    flat = np.hypot(turn[0, 0], turn[1, 0])
    pitch = np.arctan2(-turn[2, 0], flat)
    if flat < 1e-9:         # roll and yaw turn about the same axis
        return 0.0, pitch, np.arctan2(-turn[0, 1], turn[1, 1])
    return np.arctan2(turn[2, 1], turn[2, 2]), pitch, np.arctan2(turn[1, 0], turn[0, 0])


def _add_inertial(element, body, link):
    if body.mass <= 0.0:
        return
    inertial = _add(element, 'inertial')
    _add_origin(inertial, link.axes.T @ (np.array(body.centre_of_gravity) - link.origin),
                link.axes.T)
    _add(inertial, 'mass', value=_text(body.mass))
    numbers = {name: _text(body.inertia[row, column]) for name, row, column in (
        ('ixx', 0, 0), ('ixy', 0, 1), ('ixz', 0, 2), ('iyy', 1, 1), ('iyz', 1, 2), ('izz', 2, 2))}
    _add(inertial, 'inertia', **numbers)


def _measures(solid):
    """Return the attributes of a solid's shape."""
    if solid.kind == 'box':
        return {'size': _text(*solid.size)}
    return dict(zip(('radius', 'length'), map(_text, solid.size), strict=False))


def _add_origin(parent, place, turn):
    _add(parent, 'origin', xyz=_text(*place), rpy=_text(*roll_pitch_yaw(turn)))


def _add(parent, kind, **attributes):
    return ElementTree.SubElement(parent, kind, **attributes)


def _text(*numbers):
    """Return numbers as an attribute, without loss."""
    return ' '.join(repr(float(number)) for number in numbers)
