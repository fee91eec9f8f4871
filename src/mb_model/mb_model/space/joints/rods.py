"""Massless rods: two places at a constant distance, with a ball joint on the second body."""

import numpy as np

from mb_model.space.joint import JointKind, along_axes, along_way
from mb_model.space.parts.joining import distance_kept, points_meet


def _length(description):
    return {'length': {'$ref': '#/$defs/positive', 'description': description}}


BALLS = JointKind('distance', {
    'description': 'A massless rod between two ball joints: two places at a constant distance.',
    'required': ['length'], 'properties': _length('The distance [m].'),
}, lambda layout, joint: [distance_kept(layout, joint)], along_way, axis='', held='distance',
    slender=('first', 'second', 'both'), symbol='rod')


def _equations(layout, joint):
    return [distance_kept(layout, joint), *points_meet(layout, joint, 'z')]


def _transmits(joint, first, second, way):
    return np.vstack([along_way(joint, first, second, way),
                      along_axes('z')(joint, first, second, way)])


HINGE_AND_BALL = JointKind('revolute_spherical', {
    'description': 'A massless rod, perpendicular to the axis of a hinge on the first body, with a '
                   'ball joint on the second.',
    'required': ['length'], 'properties': _length('From hinge to ball [m].'),
}, _equations, _transmits, axis='first', slender=('second',), symbol='rod')

JOINTS = BALLS, HINGE_AND_BALL
