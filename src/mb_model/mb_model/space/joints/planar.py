"""A plane: a place of the second body stays in a plane of the first, whose normal both share."""

from mb_model.space.joint import JointKind, along_axes, moving_by, slide, turn
from mb_model.space.parts.joining import axes_agree, points_meet


def _equations(layout, joint):
    return points_meet(layout, joint, 'z') + axes_agree(layout, joint)


JOINT = JointKind('planar', {
    'description': 'The second body moves in a plane of the first; the axis is its normal.',
}, _equations, along_axes('z', 'xy'), shared=('axis',), coordinates=('angle',),
    motions=moving_by(slide('x'), slide('y'), turn('z')))
