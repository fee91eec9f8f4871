"""A ball joint: both bodies share a point."""

from mb_model.space.joint import BALL, JointKind, along_axes, moving_by
from mb_model.space.parts.joining import points_meet

JOINT = JointKind('spherical', {
    'description': 'A ball joint: the second body turns about a point of the first.',
}, points_meet, along_axes('xyz'), axis='', shared=('point',),
    motions=moving_by(*BALL))
