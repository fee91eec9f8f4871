"""Joints that mechanisms in the plane have beside hinges, slideways and welds.

Files of mechanisms in space cannot have them.  Their equations are constraints of the file of the
mechanism, see compilation.spatial.planar.
"""

from mb_model.space.joint import Joint, JointKind, along_axes
from mb_model.space.motion import Motion, slide, turn


def _motions(joint: Joint) -> tuple[Motion, ...]:
    """The slot lies along x of both frames; numbers['slot']: which body has it, 0 or 1."""
    motions = slide('x'), turn('z')
    return motions[::-1] if joint.numbers['slot'] else motions


PIN_IN_SLOT = JointKind('pin_in_slot', {
    'description': 'A pin of one body in a straight slot of the other: it slides and turns.',
}, lambda layout, joint: [], along_axes('yz', 'xy'), shared=('axis',), motions=_motions,
    inner=True)

SAME_ANGLE = JointKind('same_angle', {
    'description': 'Both bodies keep the angle between them, wherever they are.',
}, lambda layout, joint: [], along_axes('', 'z'), axis='', inner=True)

JOINTS = PIN_IN_SLOT, SAME_ANGLE
