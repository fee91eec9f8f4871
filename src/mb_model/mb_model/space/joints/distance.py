"""A massless rod with two ball joints: two places at a constant distance."""

from mb_model.space.joint import JointKind, along_way
from mb_model.space.parts.joining import distance_kept

JOINT = JointKind('distance', {
    'description': 'A massless rod between two ball joints: two places at a constant distance.',
    'required': ['length'],
    'properties': {'length': {'$ref': '#/$defs/positive', 'description': 'The distance [m].'}},
}, lambda layout, joint: [distance_kept(layout, joint)], along_way, axis='')
