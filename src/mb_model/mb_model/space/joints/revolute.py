"""A hinge: both bodies share a point and an axis, and turn about it."""

from mb_model.space.joint import JointKind, along_axes, moving_by, turn
from mb_model.space.parts.joining import axes_agree, points_meet


def _equations(layout, joint):
    return points_meet(layout, joint) + axes_agree(layout, joint)


JOINT = JointKind('revolute', {
    'description': 'A hinge: the second body turns about an axis of the first.',
}, _equations, along_axes('xyz', 'xy'), shared=('point', 'axis'), coordinates=('angle',),
    motions=moving_by(turn('z')))
