"""A ball that rolls on a plane without slip."""

from mb_model.space.equations.products import product_equation
from mb_model.space.joint import JointKind
from mb_model.space.parts.contact import PROPERTIES, at_contact
from mb_model.space.parts.joining import direction, way


def _equations(layout, joint):
    return [product_equation(layout.vector(way(layout, joint)),
                             layout.vector(direction(layout, joint, 0, 'z')),
                             joint.numbers['radius'], 1.0, f'joints.{joint.name}')]


JOINT = JointKind('rolling_ball', {
    'description': 'A ball rolls without slip on a plane of the ground, the first body; `at` is a '
                   "point of the plane and the ball's centre, `axis` the plane's normal, to the "
                   'side of the ball.',
    'required': ['radius'], 'properties': PROPERTIES,
}, _equations, at_contact('ball'), axis='first', rolls='ball')
