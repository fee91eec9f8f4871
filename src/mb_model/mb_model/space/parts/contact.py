"""What joints on which a body rolls share: keys of files, and what a contact transmits."""

from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.space.joint import Joint

PROPERTIES: dict[str, Any] = {
    'radius': {'$ref': '#/$defs/positive', 'description': 'Of the body that rolls [m].'},
    'slip_decay': {'$ref': '#/$defs/not_negative', 'default': 50.0,
                   'description': 'Rate at which slip fades that comes from rounding, from the '
                                  'correction of a filter or from a start [1/s].'}}


def arm_of(joint: Joint, kind: str, normal: FloatArray, axis: FloatArray) -> FloatArray:
    """Return the way (3) from the centre of a body that rolls to its contact [m].

    kind: 'ball' or 'disc'; normal: of the plane; axis: of the disc, both in the same axes.
    """
    radius = joint.numbers['radius']
    if kind == 'ball':
        return -radius * normal
    lean = float(normal @ axis)
    return radius * (lean * axis - normal) / np.sqrt(1.0 - lean * lean)


def at_contact(kind: str) -> Any:
    """Return the function `transmits` of a kind: a force at the contact, see JointKind."""
    def transmits(joint, first, second, way):
        arm = arm_of(joint, kind, first[:, 2], second[:, 2])
        return np.array([np.r_[axis, np.cross(arm, axis)] for axis in first.T])
    return transmits
