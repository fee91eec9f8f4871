"""A slideway: the second body moves along an axis of the first, without turning."""

from mb_model.space.joint import JointKind, along_axes, moving_by, slide
from mb_model.space.parts.joining import frames_agree, points_meet


def _equations(layout, joint):
    return points_meet(layout, joint, 'xy') + frames_agree(layout, joint)


JOINT = JointKind('prismatic', {
    'description': 'A slideway: the second body moves along an axis of the first.',
}, _equations, along_axes('xy', 'xyz'), shared=('axis', 'frame'), coordinates=('slider',),
    motions=moving_by(slide('z')))
