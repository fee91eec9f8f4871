"""The first section of a body that bends: the origin of the body's frame is its place."""

from mb_model.space.joint import JointKind, along_axes
from mb_model.space.parts.sections import section_turned

JOINT = JointKind('first_section', {
    'description': 'The first section of a body that bends.',
}, section_turned, along_axes('xyz', 'xyz'), axis='', shared=('point',), inner=True)
