"""A sleeve: the second body moves along an axis of the first, and turns about it.

Between two slender bodies, such as barrel and rod of a strut, the way from one to the other is a
multiple of their common line.
"""

from mb_model.space.equations.along import along_equation
from mb_model.space.joint import JointKind, along_axes, moving_by, slide, turn
from mb_model.space.parts.joining import axes_agree, direction, global_axes, points_meet, way


def _strut(bodies, joint):
    return bodies[joint.bodies[0]].slender if joint.bodies[0] in bodies else False


def _own(bodies, joint):
    return ('slider',) if _strut(bodies, joint) else ()


def _equations(layout, joint):
    if not layout.is_slender(joint.bodies[0]):
        return points_meet(layout, joint, 'xy') + axes_agree(layout, joint)
    between, along = layout.vector(way(layout, joint)), layout.vector(
        direction(layout, joint, 0, 'z'))
    scalar = layout.place(layout.coordinate_of(joint.name, 'slider'))
    return [along_equation(between, along, layout.vector(axis), scalar, f'joints.{joint.name}')
            for axis in global_axes(layout)]


JOINT = JointKind('cylindrical', {
    'description': 'A sleeve: the second body moves along an axis of the first and turns about it.',
}, _equations, along_axes('xy', 'xy'), shared=('axis',), coordinates=('angle', 'slider'),
    own=_own, defines=_own, motions=moving_by(slide('z'), turn('z')))
