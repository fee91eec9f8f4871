"""A weld: both bodies are one."""

from mb_model.space.joint import JointKind, along_axes, moving_by

JOINT = JointKind('weld', {
    'description': 'A weld: both bodies move as one; turn is that of the second in the frame of '
                   'the first.',
    'properties': {'turn': {'$ref': '#/$defs/vector3', 'default': [0.0, 0.0, 0.0],
                            'description': 'A rotation vector [rad].'}},
}, lambda layout, joint: [], along_axes('xyz', 'xyz'), axis='', motions=moving_by())
