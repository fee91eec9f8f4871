"""A universal (Hooke) joint: a shared point, and an axis on each body, perpendicular to the other.

The cross between the bodies has no mass.
"""

import numpy as np

from mb_model.space.joint import JointKind
from mb_model.space.motion import Motion, moving_by, turn
from mb_model.space.parts.joining import direction, perpendicular, points_meet
from mb_model.space.rotation import TO_CROSS


def _equations(layout, joint):
    return [*points_meet(layout, joint), perpendicular(
        layout, joint, direction(layout, joint, 0, 'z'), direction(layout, joint, 1, 'z'))]


def _transmits(joint, first, second, way):
    across = np.cross(first[:, 2], second[:, 2])
    return np.block([[np.eye(3), np.zeros((3, 3))], [np.zeros(3), across]])


JOINT = JointKind('universal', {
    'description': 'A universal (Hooke) joint: a shared point, and on each body an axis, which '
                   'stays perpendicular to the other.',
}, _equations, _transmits, axis='two', shared=('point',), coordinates=('angle',),
    motions=moving_by(turn('z', 'first'), Motion(False, TO_CROSS, np.eye(3), name='second')),
    slender=('second',), symbol='cross', adams={'HOOKE': ('x', 'y'), 'UNIVERSAL': ('z', 'z')})
