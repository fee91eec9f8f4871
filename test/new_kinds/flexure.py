"""A kind of joints of another package: a notch hinge, which bends about an axis like a spring."""

from mb_model.kind_api import JointKind, along_axes, axes_agree, moving_by, points_meet, turn


def _equations(layout, joint):
    return points_meet(layout, joint) + axes_agree(layout, joint)


def _springs(joint):
    return {'angle': {'stiffness': joint.numbers['stiffness'], 'viscous': joint.numbers['damping']}}


JOINT = JointKind('flexure', {
    'description': 'A notch that bends about an axis, as a hinge with a spring.',
    'properties': {
        'stiffness': {'$ref': '#/$defs/not_negative', 'default': 2.0,
                      'description': 'Moment per angle [N m/rad].'},
        'damping': {'$ref': '#/$defs/not_negative', 'default': 0.1,
                    'description': 'Moment per rate [N m s/rad].'}},
}, _equations, along_axes('xyz', 'xy'), shared=('point', 'axis'), coordinates=('angle',),
    motions=moving_by(turn('z', 'bend')), held='line', springs=_springs, symbol='pin',
    adams={'FLEXURE': ('z', 'z')})
