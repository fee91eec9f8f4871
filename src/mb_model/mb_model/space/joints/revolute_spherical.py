"""A massless rod with a hinge on the first body and a ball joint on the second."""

import numpy as np

from mb_model.space.joint import JointKind, along_axes, along_way
from mb_model.space.parts.joining import distance_kept, points_meet


def _equations(layout, joint):
    return [distance_kept(layout, joint), *points_meet(layout, joint, 'z')]


def _transmits(joint, first, second, way):
    return np.vstack([along_way(joint, first, second, way),
                      along_axes('z')(joint, first, second, way)])


JOINT = JointKind('revolute_spherical', {
    'description': 'A massless rod, perpendicular to the axis of a hinge on the first body, with a '
                   'ball joint on the second.',
    'required': ['length'],
    'properties': {'length': {'$ref': '#/$defs/positive',
                              'description': 'From hinge to ball [m].'}},
}, _equations, _transmits, axis='first')
