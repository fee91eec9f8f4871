"""A kind of joint: a notch that bends about an axis, as a hinge with a spring.

Python finds it by the entry point in notch.dist-info; a package of yours names it in its setup.py:
entry_points={'mb_model.space.joints': ['notch = my_package.notch']}.
"""

from mb_model.kind_api import JointKind, along_axes, axes_agree, moving_by, points_meet, turn


def _equations(layout, joint):
    """Return what a hinge holds: two points meet, two axes agree."""
    return points_meet(layout, joint) + axes_agree(layout, joint)


def _springs(joint):
    """Return what acts on its coordinates, by the numbers of the mechanism file."""
    return {'angle': {'stiffness': joint.numbers['stiffness'], 'viscous': joint.numbers['damping']}}


JOINT = JointKind('notch', {
    'description': 'A notch that bends about an axis, as a hinge with a spring.',
    'properties': {
        'stiffness': {'$ref': '#/$defs/not_negative', 'default': 2.0,
                      'description': 'Moment per angle [N m/rad].'},
        'damping': {'$ref': '#/$defs/not_negative', 'default': 0.1,
                    'description': 'Moment per rate [N m s/rad].'}},
}, _equations, along_axes('xyz', 'xy'), shared=('point', 'axis'), coordinates=('angle',),
    motions=moving_by(turn('z', 'bend')), held='line', springs=_springs, symbol='pin',
    adams={'NOTCH': ('z', 'z')})
