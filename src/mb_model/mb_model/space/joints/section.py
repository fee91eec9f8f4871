"""A section of a body that bends, but for the first one."""

from mb_model.space.joint import JointKind, along_axes
from mb_model.space.parts.sections import section_placed, section_turned


def _equations(layout, joint):
    return section_placed(layout, joint) + section_turned(layout, joint)


JOINT = JointKind('section', {
    'description': 'A section of a body that bends.',
}, _equations, along_axes('xyz', 'xyz'), axis='', inner=True)
