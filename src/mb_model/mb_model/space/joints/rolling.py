"""Bodies that roll on a plane without slip: a ball, and a thin disc, whose rim touches it."""

from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.space.equations.products import product_equation
from mb_model.space.equations.rim import rim_equation
from mb_model.space.joint import Joint, JointKind
from mb_model.space.parts.joining import direction, way

_PROPERTIES: dict[str, Any] = {
    'radius': {'$ref': '#/$defs/positive', 'description': 'Of the body that rolls [m].'},
    'slip_decay': {'$ref': '#/$defs/not_negative', 'default': 50.0,
                   'description': 'Rate at which slip fades that comes from rounding, from the '
                                  'correction of a filter or from a start [1/s].'}}


def arm_of(joint: Joint, kind: str, normal: FloatArray, axis: FloatArray) -> FloatArray:
    """Return the way (3) from the centre of a body that rolls to its contact [m].

    kind: 'ball' or 'disc'; normal: of the plane; axis: of the disc, both in the same axes.
    """
    radius = joint.numbers['radius']
    if kind == 'ball':
        return -radius * normal
    lean = float(normal @ axis)
    return radius * (lean * axis - normal) / np.sqrt(1.0 - lean * lean)


def _at_contact(kind):
    """Return the function `transmits` of a kind: a force at the contact, see JointKind."""
    def transmits(joint, first, second, way):
        arm = arm_of(joint, kind, first[:, 2], second[:, 2])
        return np.array([np.r_[axis, np.cross(arm, axis)] for axis in first.T])
    return transmits


def _ball(layout, joint):
    return [product_equation(layout.vector(way(layout, joint)),
                             layout.vector(direction(layout, joint, 0, 'z')),
                             joint.numbers['radius'], 1.0, f'joints.{joint.name}')]


BALL = JointKind('rolling_ball', {
    'description': 'A ball rolls without slip on a plane of the ground, the first body; `at` is a '
                   "point of the plane and the ball's centre, `axis` the plane's normal, to the "
                   'side of the ball.',
    'required': ['radius'], 'properties': _PROPERTIES,
}, _ball, _at_contact('ball'), axis='first', rolls='ball', symbol='floor')


def _disc(layout, joint):
    return [rim_equation(layout.vector(way(layout, joint)),
                         layout.vector(direction(layout, joint, 1, 'z')), joint.numbers['radius'],
                         joint.frames[0][:, 2], f'joints.{joint.name}')]


DISC = JointKind('rolling_disc', {
    'description': 'A thin disc rolls without slip on a plane of the ground, the first body; `at` '
                   "is a point of the plane and the disc's centre, `axes` the plane's normal, to "
                   "the side of the disc, and the disc's axis.",
    'required': ['radius'], 'properties': _PROPERTIES,
}, _disc, _at_contact('disc'), axis='two', rolls='disc', symbol='floor')

JOINTS = BALL, DISC
