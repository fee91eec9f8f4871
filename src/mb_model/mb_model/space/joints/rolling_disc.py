"""A thin disc that rolls on a plane without slip: its rim touches it, and does not slide there."""

from mb_model.space.equations.rim import rim_equation
from mb_model.space.joint import JointKind
from mb_model.space.parts.contact import PROPERTIES, at_contact
from mb_model.space.parts.joining import direction, way


def _equations(layout, joint):
    return [rim_equation(layout.vector(way(layout, joint)),
                         layout.vector(direction(layout, joint, 1, 'z')), joint.numbers['radius'],
                         joint.frames[0][:, 2], f'joints.{joint.name}')]


JOINT = JointKind('rolling_disc', {
    'description': 'A thin disc rolls without slip on a plane of the ground, the first body; `at` '
                   "is a point of the plane and the disc's centre, `axes` the plane's normal, to "
                   "the side of the disc, and the disc's axis.",
    'required': ['radius'], 'properties': PROPERTIES,
}, _equations, at_contact('disc'), axis='two', rolls='disc')
