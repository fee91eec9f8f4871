"""Bushings of Drake, in URDF and SDF: what they hold with stiffness, as if it were rigid."""

from collections.abc import Sequence

import numpy as np

from mb_import.machine import LinkJoint
from mb_import.notes import Notes
from mb_model.space_api import Pose

# Which translations and rotations a bushing holds, the free axis last -> kind of closure.
_KINDS = {((1, 1, 1), (0, 0, 0)): 'spherical', ((1, 1, 1), (1, 1, 0)): 'revolute',
          ((1, 1, 1), (1, 1, 1)): 'weld', ((1, 1, 0), (1, 1, 0)): 'cylindrical',
          ((1, 1, 0), (0, 0, 0)): 'in_line', ((1, 1, 0), (1, 1, 1)): 'prismatic'}
_FREE_AXES = (2, 0, 1)
_ROUND = 'weld', 'spherical'             # kinds without an axis


def bushing(name: str, ends: Sequence[tuple[str, Pose]], force: Sequence[float],
            torque: Sequence[float], notes: Notes, item: str) -> LinkJoint | None:
    """Return a closure between two frames (link, pose in it), None with a note if none fits.

    force, torque: stiffness along and about x, y, z (3) [N/m, N m/rad].
    """
    stiff, twist = (tuple(int(one > 0.0) for one in values) for values in (force, torque))
    for free in _FREE_AXES:
        held = tuple((one[free - 2], one[free - 1], one[free]) for one in (stiff, twist))
        if held in _KINDS:
            kind = _KINDS[held]
            notes.changed(item, f'its stiffness is taken for rigid: {kind}')
            return LinkJoint(name, kind, (ends[0][0], ends[1][0]), (ends[0][1], ends[1][1]),
                             None if kind in _ROUND else np.eye(3)[free])
    notes.left_out(item, f'it holds translations {list(stiff)} and rotations {list(twist)} of x, '
                         'y, z, as no closure does')
    return None
