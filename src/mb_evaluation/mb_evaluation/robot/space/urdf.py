"""URDF, the robot description of ROS, written from a mechanism in space."""

from xml.etree import ElementTree

import numpy as np

from mb_evaluation.robot.space.tree import FIXED, PRISMATIC, spatial_robot_tree
from mb_model.space_api import across, require_space, shortest, spanning

GREATEST = '1e9'            # effort and speed that URDF asks for and mechanism files do not know
_BAR = 0.02                 # radius of a bar of a body without shapes, of how far it reaches


def write_spatial_urdf(mechanism):
    """Return the URDF text of a mechanism in space; raises MechanismError in the plane.

    Its root is the link `world`, in which the mechanism stands upright.
    """
    require_space(mechanism, 'write_spatial_urdf')
    tree = spatial_robot_tree(mechanism)
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
            for kind, measures, centre, axes in _solids(mechanism, link.body):
                visual = _add(element, 'visual')
                _add_origin(visual, link.axes.T @ (centre - link.origin), link.axes.T @ axes)
                _add(_add(visual, 'geometry'), kind, **measures)
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


def standing(gravity):
    """Return the matrix (3, 3) from a mechanism's axes to the world's, z against gravity."""
    return np.eye(3) if not np.any(gravity) else shortest(-np.asarray(gravity), [0.0, 0.0, 1.0])


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


def _solids(mechanism, name):
    """Yield (kind, measures, middle, axes) of what is seen of a body, in its frame."""
    body = mechanism.bodies[name]
    for solid in body.shapes:
        if solid.kind == 'box':
            measures = {'size': _text(*solid.size)}
        elif solid.kind == 'sphere':
            measures = {'radius': _text(solid.size[0])}
        else:
            measures = {'radius': _text(solid.size[0]), 'length': _text(solid.size[1])}
        yield (solid.kind if solid.kind in ('box', 'sphere') else 'cylinder', measures,
               solid.centre, solid.axes)
    if body.shapes:
        return
    places = [np.array(place) for place in body.points.values()]
    places += [place for joint in mechanism.joints.values()
               for other, place in zip(joint.bodies, joint.places, strict=True) if other == name]
    places = [*np.unique(np.array([*places, body.centre_of_gravity]), axis=0)]
    reach = max((np.linalg.norm(place - places[0]) for place in places), default=0.0)
    for i, j in spanning(places) if reach > 0.0 else ():
        way = places[j] - places[i]
        z, x = way / np.linalg.norm(way), across(way)
        yield ('cylinder', {'radius': _text(_BAR * reach), 'length': _text(np.linalg.norm(way))},
               0.5 * (places[i] + places[j]), np.column_stack([x, np.cross(z, x), z]))


def _add_origin(parent, place, turn):
    _add(parent, 'origin', xyz=_text(*place), rpy=_text(*roll_pitch_yaw(turn)))


def _add(parent, kind, **attributes):
    return ElementTree.SubElement(parent, kind, **attributes)


def _text(*numbers):
    """Return numbers as an attribute, without loss."""
    return ' '.join(repr(float(number)) for number in numbers)
