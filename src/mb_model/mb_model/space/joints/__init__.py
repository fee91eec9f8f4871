"""The kinds of joints of mechanisms in space, by what the bodies share or what lies between them.

Lower pairs share a surface: hinge, slideway, sleeve, screw, plane, ball - and the weld.  Between
two slender bodies, such as barrel and rod of a strut, the vector between both points of a sleeve is
a multiple of their common line.  Source: Reuleaux 1876 (The Kinematics of Machinery), lower pairs.
Rods without mass have a ball joint on the second body.  Rolling bodies, a ball and a thin disc, do
not slip on a plane of the ground.  A universal (Hooke) joint has a cross without mass.
"""

from collections.abc import Callable, Mapping
from math import atan2, pi
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.space.body import SpatialBody
from mb_model.space.equation import SpatialEquation
from mb_model.space.equations.along import along_equation
from mb_model.space.equations.products import linear_equation, product_equation
from mb_model.space.equations.rim import rim_equation
from mb_model.space.joint import Joint, JointKind, along_axes, along_rod, gap_by_axes
from mb_model.space.joints.joining import (
    axes_agree,
    between,
    direction,
    distance_kept,
    frames_agree,
    global_axes,
    perpendicular,
    points_meet,
)
from mb_model.space.motion import BALL, Motion, moving_by, slide, turn
from mb_model.space.rotation import TO_CROSS, rotation

_ANY = 'first', 'second', 'both'


def _revolute(layout: Any, joint: Joint) -> list[SpatialEquation]:
    return points_meet(layout, joint) + axes_agree(layout, joint)


REVOLUTE = JointKind('revolute', {
    'description': 'A hinge: the second body turns about an axis of the first.',
}, _revolute, along_axes('xyz', 'xy'), shared=('point', 'axis'), coordinates=('angle',),
    motions=moving_by(turn('z', '')), held='line', along='cylindrical', symbol='pin',
    adams={'REVOLUTE': ('z', 'z')})


def _prismatic(layout: Any, joint: Joint) -> list[SpatialEquation]:
    return points_meet(layout, joint, 'xy') + frames_agree(layout, joint)


PRISMATIC = JointKind('prismatic', {
    'description': 'A slideway: the second body moves along an axis of the first.',
}, _prismatic, along_axes('xy', 'xyz'), shared=('axis', 'frame'), coordinates=('slider',),
    motions=moving_by(slide('z')), symbol='block', adams={'TRANSLATIONAL': ('z', 'z')})


def _slider_of_strut(bodies: Mapping[str, SpatialBody], joint: Joint) -> tuple[str, ...]:
    slender = joint.bodies[0] in bodies and bodies[joint.bodies[0]].slender
    return ('slider',) if slender else ()


def _cylindrical(layout: Any, joint: Joint) -> list[SpatialEquation]:
    if not layout.is_slender(joint.bodies[0]):
        return points_meet(layout, joint, 'xy') + axes_agree(layout, joint)
    apart, along = layout.vector(between(layout, joint)), layout.vector(
        direction(layout, joint, 0, 'z'))
    scalar = layout.index(layout.coordinate_of(joint.name, 'slider'))
    return [along_equation(apart, along, layout.vector(axis), scalar, f'joints.{joint.name}')
            for axis in global_axes(layout)]


CYLINDRICAL = JointKind('cylindrical', {
    'description': 'A sleeve: the second body moves along an axis of the first and turns about it.',
}, _cylindrical, along_axes('xy', 'xy'), shared=('axis',), coordinates=('angle', 'slider'),
    own=_slider_of_strut, defines=_slider_of_strut, motions=moving_by(slide('z'), turn('z')),
    slender=('second', 'both'), symbol='sleeve', adams={'CYLINDRICAL': ('z', 'z')})


def _screw(layout: Any, joint: Joint) -> list[SpatialEquation]:
    """The second body moves along an axis of the first as it turns about it."""
    scalars = tuple(layout.index(layout.coordinate_of(joint.name, kind))
                   for kind in ('slider', 'angle'))
    return [*points_meet(layout, joint, 'xy'), *axes_agree(layout, joint), linear_equation(
        scalars, (1.0, -joint.numbers['pitch'] / (2.0 * pi)), 0.0, 1.0, f'joints.{joint.name}')]


def _by_screw(joint: Joint, first: FloatArray, second: FloatArray, apart: FloatArray) -> FloatArray:
    z = first[:, 2]
    return np.vstack([along_axes('xy', 'xy')(joint, first, second, apart),
                      np.r_[z, -joint.numbers['pitch'] / (2.0 * pi) * z]])


def _gap_of_screw(joint: Joint, first: FloatArray, second: FloatArray, apart: FloatArray,
                  size: float) -> tuple[FloatArray, FloatArray]:
    """Return the travel that the angle does not account for, in the turn next to it, and a sleeve.
    """
    values, rows = gap_by_axes('xy', 'xy', first, second, apart, size)
    z, travel = first[:, 2], joint.numbers['pitch'] / (2.0 * pi)
    cosine, sine = first[:, 0] @ second[:, 0], first[:, 1] @ second[:, 0]
    angle = atan2(sine, cosine)
    angle += 2.0 * pi * round((z @ apart / travel - angle) / (2.0 * pi))
    turn = np.cross(second[:, 0], cosine * first[:, 1] - sine * first[:, 0]) / (
        cosine ** 2 + sine ** 2)
    return np.r_[values, z @ apart - travel * angle], np.vstack([rows, np.r_[z, -travel * turn]])


SCREW = JointKind('screw', {
    'description': 'A screw: the second body moves along an axis of the first as it turns.',
    'required': ['pitch'],
    'properties': {'pitch': {'$ref': '#/$defs/number',
                             'description': 'Its travel in one turn [m], negative of a left-handed '
                                            'thread; at angle 0 the points meet.'}},
}, _screw, _by_screw, shared=('axis',), coordinates=('angle', 'slider'),
    own=lambda bodies, joint: ('slider', 'angle'), symbol='nut', gap=_gap_of_screw,
    motions=lambda joint: (turn('z', pitch=joint.numbers['pitch'] / (2.0 * pi)),))


def _planar(layout: Any, joint: Joint) -> list[SpatialEquation]:
    """A point of the second body stays in a plane of the first, whose normal both share."""
    return points_meet(layout, joint, 'z') + axes_agree(layout, joint)


PLANAR = JointKind('planar', {
    'description': 'The second body moves in a plane of the first; the axis is its normal.',
}, _planar, along_axes('z', 'xy'), shared=('axis',), coordinates=('angle',),
    motions=moving_by(slide('x', 'x'), slide('y', 'y'), turn('z')), slender=('second',),
    symbol='table', adams={'PLANAR': ('z', 'z')})


def _in_line(layout: Any, joint: Joint) -> list[SpatialEquation]:
    return points_meet(layout, joint, 'xy')


IN_LINE = JointKind('in_line', {
    'description': 'A point of the second body stays on a line of the first; it turns freely.',
}, _in_line, along_axes('xy'), axis='first', coordinates=('slider',), slender=('second',),
    symbol='ball')

SPHERICAL = JointKind('spherical', {
    'description': 'A ball joint: the second body turns about a point of the first.',
}, points_meet, along_axes('xyz'), axis='', shared=('point',), motions=moving_by(*BALL),
    held='point', slender=_ANY, symbol='ball', adams={'SPHERICAL': ('', '')})

WELD = JointKind('weld', {
    'description': 'A weld: both bodies move as one; turn is how the second is turned in '
                   'the frame of the first.',
    'properties': {'turn': {'$ref': '#/$defs/vector3', 'default': [0.0, 0.0, 0.0],
                            'description': 'A rotation vector [rad].'}},
}, lambda layout, joint: [], along_axes('xyz', 'xyz'), axis='', motions=moving_by(), slender=_ANY,
    frames=lambda entry: (rotation(entry['turn']), np.eye(3)), adams={'FIXED': ('', '')})


def _length(description: str) -> dict[str, Any]:
    return {'length': {'$ref': '#/$defs/positive', 'description': description}}


def _gap_of_rod(joint: Joint, first: FloatArray, second: FloatArray, apart: FloatArray,
                size: float) -> tuple[FloatArray, FloatArray]:
    length = float(np.linalg.norm(apart))
    along = apart / length if length > 0.0 else first[:, 0]
    return np.array([length - joint.numbers['length']]), np.r_[along, np.zeros(3)][None]


ROD = JointKind('distance', {
    'description': 'A massless rod between two ball joints: two points at a constant distance.',
    'required': ['length'], 'properties': _length('The distance [m].'),
}, lambda layout, joint: [distance_kept(layout, joint)], along_rod, axis='', held='distance',
    slender=('first', 'second', 'both'), symbol='rod', gap=_gap_of_rod)


def _hinged_rod(layout: Any, joint: Joint) -> list[SpatialEquation]:
    return [distance_kept(layout, joint), *points_meet(layout, joint, 'z')]


def _by_hinged_rod(joint: Joint, first: FloatArray, second: FloatArray,
                   apart: FloatArray) -> FloatArray:
    return np.vstack([along_rod(joint, first, second, apart),
                      along_axes('z')(joint, first, second, apart)])


def _gap_of_hinged_rod(joint: Joint, first: FloatArray, second: FloatArray, apart: FloatArray,
                       size: float) -> tuple[FloatArray, FloatArray]:
    values, rows = _gap_of_rod(joint, first, second, apart, size)
    z = first[:, 2]
    return np.r_[values, z @ apart], np.vstack([rows, np.r_[z, np.zeros(3)]])


HINGED_ROD = JointKind('revolute_spherical', {
    'description': 'A massless rod, perpendicular to the axis of a hinge on the first body, with a '
                   'ball joint on the second.',
    'required': ['length'], 'properties': _length('From hinge to ball [m].'),
}, _hinged_rod, _by_hinged_rod, axis='first', slender=('second',), symbol='rod',
    gap=_gap_of_hinged_rod)

_ROLLING: dict[str, Any] = {
    'radius': {'$ref': '#/$defs/positive', 'description': 'Of the body that rolls [m].'},
    'slip_decay': {'$ref': '#/$defs/not_negative', 'default': 50.0,
                   'description': 'Rate at which slip fades that comes from rounding, from the '
                                  'correction of a filter or from a start [1/s].'}}


def arm_of(joint: Joint, kind: str, normal: FloatArray, axis: FloatArray) -> FloatArray:
    """Return the vector (3) from the centre of a body that rolls to its contact [m].

    kind: 'ball' or 'disc'; normal: of the plane; axis: of the disc, both in the same axes.
    """
    radius = joint.numbers['radius']
    if kind == 'ball':
        return -radius * normal
    lean = float(normal @ axis)
    return radius * (lean * axis - normal) / np.sqrt(1.0 - lean * lean)


def _at_contact(kind: str) -> Callable[..., FloatArray]:
    """Return the function `transmits` of a kind: a force at the contact, see JointKind."""
    def transmits(joint: Joint, first: FloatArray, second: FloatArray,
                  apart: FloatArray) -> FloatArray:
        arm = arm_of(joint, kind, first[:, 2], second[:, 2])
        return np.array([np.r_[axis, np.cross(arm, axis)] for axis in first.T])
    return transmits


def _ball(layout: Any, joint: Joint) -> list[SpatialEquation]:
    return [product_equation(layout.vector(between(layout, joint)),
                             layout.vector(direction(layout, joint, 0, 'z')),
                             joint.numbers['radius'], 1.0, f'joints.{joint.name}')]


def _gap_at_contact(kind: str) -> Callable[..., tuple[FloatArray, FloatArray]]:
    """Return the function `gap` of a kind: how high its contact is over the plane."""
    def gap(joint: Joint, first: FloatArray, second: FloatArray, apart: FloatArray, size: float
            ) -> tuple[FloatArray, FloatArray]:
        normal = first[:, 2]
        arm = arm_of(joint, kind, normal, second[:, 2])
        turned = np.zeros(3) if kind == 'ball' else np.cross(arm, normal)
        return np.array([normal @ (apart + arm)]), np.r_[normal, turned][None]
    return gap


ROLLING_BALL = JointKind('rolling_ball', {
    'description': 'A ball rolls without slip on a plane of the ground, the first body; `at` is a '
                   "point of the plane and the ball's centre, `axis` the plane's normal, to the "
                   'side of the ball.',
    'required': ['radius'], 'properties': _ROLLING,
}, _ball, _at_contact('ball'), axis='first', rolls='ball', symbol='floor',
    gap=_gap_at_contact('ball'))


def _disc(layout: Any, joint: Joint) -> list[SpatialEquation]:
    return [rim_equation(layout.vector(between(layout, joint)),
                         layout.vector(direction(layout, joint, 1, 'z')), joint.numbers['radius'],
                         joint.frames[0][:, 2], f'joints.{joint.name}')]


ROLLING_DISC = JointKind('rolling_disc', {
    'description': 'A thin disc rolls without slip on a plane of the ground, the first body; `at` '
                   "is a point of the plane and the disc's centre, `axes` the plane's normal, to "
                   "the side of the disc, and the disc's axis.",
    'required': ['radius'], 'properties': _ROLLING,
}, _disc, _at_contact('disc'), axis='two', rolls='disc', symbol='floor',
    gap=_gap_at_contact('disc'))


def _universal(layout: Any, joint: Joint) -> list[SpatialEquation]:
    return [*points_meet(layout, joint), perpendicular(
        layout, joint, direction(layout, joint, 0, 'z'), direction(layout, joint, 1, 'z'))]


def _by_cross(joint: Joint, first: FloatArray, second: FloatArray, apart: FloatArray) -> FloatArray:
    across = np.cross(first[:, 2], second[:, 2])
    return np.block([[np.eye(3), np.zeros((3, 3))], [np.zeros(3), across]])


def _gap_of_cross(joint: Joint, first: FloatArray, second: FloatArray, apart: FloatArray,
                  size: float) -> tuple[FloatArray, FloatArray]:
    one, other = first[:, 2], second[:, 2]
    values, rows = gap_by_axes('xyz', '', first, second, apart, size)
    return np.r_[values, size * (one @ other)], np.vstack([
        rows, np.r_[np.zeros(3), size * np.cross(other, one)]])


UNIVERSAL = JointKind('universal', {
    'description': 'A universal (Hooke) joint: a shared point, and on each body an axis, which '
                   'stays perpendicular to the other.',
}, _universal, _by_cross, axis='two', shared=('point',), coordinates=('angle',),
    motions=moving_by(turn('z', 'first'), Motion(False, TO_CROSS, np.eye(3), name='second')),
    slender=('second',), symbol='cross', gap=_gap_of_cross,
    adams={'HOOKE': ('x', 'y'), 'UNIVERSAL': ('z', 'z')})

JOINTS = (REVOLUTE, PRISMATIC, CYLINDRICAL, SCREW, PLANAR, IN_LINE, SPHERICAL, WELD, ROD,
          HINGED_ROD, ROLLING_BALL, ROLLING_DISC, UNIVERSAL)
