"""Joints whose bodies share a surface: hinge, slideway, sleeve, screw, plane, ball - and the weld.

Between two slender bodies, such as barrel and rod of a strut, the way from one to the other is a
multiple of their common line.
Source: Reuleaux 1876 (The Kinematics of Machinery), lower pairs.
"""

from math import pi

import numpy as np

from mb_model.space.equations.along import along_equation
from mb_model.space.equations.products import linear_equation
from mb_model.space.joint import JointKind, along_axes
from mb_model.space.motion import BALL, moving_by, slide, turn
from mb_model.space.parts.joining import (
    axes_agree,
    direction,
    frames_agree,
    global_axes,
    points_meet,
    way,
)
from mb_model.space.rotation import rotation

_ANY = 'first', 'second', 'both'


def _revolute(layout, joint):
    return points_meet(layout, joint) + axes_agree(layout, joint)


REVOLUTE = JointKind('revolute', {
    'description': 'A hinge: the second body turns about an axis of the first.',
}, _revolute, along_axes('xyz', 'xy'), shared=('point', 'axis'), coordinates=('angle',),
    motions=moving_by(turn('z', '')), held='line', along='cylindrical', symbol='pin',
    adams={'REVOLUTE': ('z', 'z')})


def _prismatic(layout, joint):
    return points_meet(layout, joint, 'xy') + frames_agree(layout, joint)


PRISMATIC = JointKind('prismatic', {
    'description': 'A slideway: the second body moves along an axis of the first.',
}, _prismatic, along_axes('xy', 'xyz'), shared=('axis', 'frame'), coordinates=('slider',),
    motions=moving_by(slide('z')), symbol='block', adams={'TRANSLATIONAL': ('z', 'z')})


def _slider_of_strut(bodies, joint):
    slender = joint.bodies[0] in bodies and bodies[joint.bodies[0]].slender
    return ('slider',) if slender else ()


def _cylindrical(layout, joint):
    if not layout.is_slender(joint.bodies[0]):
        return points_meet(layout, joint, 'xy') + axes_agree(layout, joint)
    between, along = layout.vector(way(layout, joint)), layout.vector(
        direction(layout, joint, 0, 'z'))
    scalar = layout.place(layout.coordinate_of(joint.name, 'slider'))
    return [along_equation(between, along, layout.vector(axis), scalar, f'joints.{joint.name}')
            for axis in global_axes(layout)]


CYLINDRICAL = JointKind('cylindrical', {
    'description': 'A sleeve: the second body moves along an axis of the first and turns about it.',
}, _cylindrical, along_axes('xy', 'xy'), shared=('axis',), coordinates=('angle', 'slider'),
    own=_slider_of_strut, defines=_slider_of_strut, motions=moving_by(slide('z'), turn('z')),
    slender=('second', 'both'), symbol='sleeve', adams={'CYLINDRICAL': ('z', 'z')})


def _screw(layout, joint):
    """The second body moves along an axis of the first as it turns about it."""
    places = tuple(layout.place(layout.coordinate_of(joint.name, kind))
                   for kind in ('slider', 'angle'))
    return [*points_meet(layout, joint, 'xy'), *axes_agree(layout, joint), linear_equation(
        places, (1.0, -joint.numbers['pitch'] / (2.0 * pi)), 0.0, 1.0, f'joints.{joint.name}')]


def _by_screw(joint, first, second, way):
    z = first[:, 2]
    return np.vstack([along_axes('xy', 'xy')(joint, first, second, way),
                      np.r_[z, -joint.numbers['pitch'] / (2.0 * pi) * z]])


SCREW = JointKind('screw', {
    'description': 'A screw: the second body moves along an axis of the first as it turns.',
    'required': ['pitch'],
    'properties': {'pitch': {'$ref': '#/$defs/number',
                             'description': 'Its way in one turn [m], negative of a left-handed '
                                            'thread; at angle 0 the places meet.'}},
}, _screw, _by_screw, shared=('axis',), coordinates=('angle', 'slider'),
    own=lambda bodies, joint: ('slider', 'angle'), symbol='nut',
    motions=lambda joint: (turn('z', pitch=joint.numbers['pitch'] / (2.0 * pi)),))


def _planar(layout, joint):
    """A place of the second body stays in a plane of the first, whose normal both share."""
    return points_meet(layout, joint, 'z') + axes_agree(layout, joint)


PLANAR = JointKind('planar', {
    'description': 'The second body moves in a plane of the first; the axis is its normal.',
}, _planar, along_axes('z', 'xy'), shared=('axis',), coordinates=('angle',),
    motions=moving_by(slide('x', 'x'), slide('y', 'y'), turn('z')), slender=('second',),
    symbol='table', adams={'PLANAR': ('z', 'z')})

SPHERICAL = JointKind('spherical', {
    'description': 'A ball joint: the second body turns about a point of the first.',
}, points_meet, along_axes('xyz'), axis='', shared=('point',), motions=moving_by(*BALL),
    held='point', slender=_ANY, symbol='ball', adams={'SPHERICAL': ('', '')})

WELD = JointKind('weld', {
    'description': 'A weld: both bodies move as one; turn is that of the second in the frame of '
                   'the first.',
    'properties': {'turn': {'$ref': '#/$defs/vector3', 'default': [0.0, 0.0, 0.0],
                            'description': 'A rotation vector [rad].'}},
}, lambda layout, joint: [], along_axes('xyz', 'xyz'), axis='', motions=moving_by(), slender=_ANY,
    frames=lambda entry: (rotation(entry['turn']), np.eye(3)), adams={'FIXED': ('', '')})

JOINTS = REVOLUTE, PRISMATIC, CYLINDRICAL, SCREW, PLANAR, SPHERICAL, WELD
