"""A ball joint: both bodies share a point."""

from mb_model.space.joint import JointKind, along_axes
from mb_model.space.parts.joining import points_meet

JOINT = JointKind('spherical', {
    'description': 'A ball joint: the second body turns about a point of the first.',
}, points_meet, along_axes('xyz'), axis='', shared=('point',))
