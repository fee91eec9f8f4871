"""A screw: the second body moves along an axis of the first as it turns about it."""

from math import pi

import numpy as np

from mb_model.space.equations.products import linear_equation
from mb_model.space.joint import JointKind, along_axes, turn
from mb_model.space.parts.joining import axes_agree, points_meet


def _equations(layout, joint):
    slide, turn = (layout.place(layout.coordinate_of(joint.name, kind))
                   for kind in ('slider', 'angle'))
    return [*points_meet(layout, joint, 'xy'), *axes_agree(layout, joint), linear_equation(
        (slide, turn), (1.0, -joint.numbers['pitch'] / (2.0 * pi)), 0.0, 1.0,
        f'joints.{joint.name}')]


def _transmits(joint, first, second, way):
    z = first[:, 2]
    return np.vstack([along_axes('xy', 'xy')(joint, first, second, way),
                      np.r_[z, -joint.numbers['pitch'] / (2.0 * pi) * z]])


JOINT = JointKind('screw', {
    'description': 'A screw: the second body moves along an axis of the first as it turns.',
    'required': ['pitch'],
    'properties': {'pitch': {'$ref': '#/$defs/number',
                             'description': 'Its way in one turn [m], negative of a left-handed '
                                            'thread; at angle 0 the places meet.'}},
}, _equations, _transmits, shared=('axis',), coordinates=('angle', 'slider'),
    own=lambda bodies, joint: ('slider', 'angle'),
    motions=lambda joint: (turn('z', joint.numbers['pitch'] / (2.0 * pi)),))
