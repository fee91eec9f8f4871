"""How far a position of a mechanism in space is from the drawn one, and from its limits."""

from math import pi
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.assembly.body_motion import body_poses
from mb_model.compilation.spatial.groups import start_poses
from mb_model.mechanism_file.description import Description
from mb_model.space.body import GROUND, Pose

_OVER = 1e-6            # of a limit [rad or m]
_TURN = 2.0 * pi


def start_distance(mechanism: Any, description: Description) -> float:
    """Return how far bodies are at q0 from the drawn poses, see distance."""
    poses = {body: Pose(at[0], turn[0]) for body, (at, turn) in body_poses(
        mechanism, mechanism.q0).items() if body != GROUND}
    slender = {name for name, body in mechanism.bodies.items() if body.slender}
    return distance(poses, start_poses(description), mechanism.freedom.size, slender)


def distance(poses: dict[str, Pose], others: dict[str, Pose], size: float,
             slender: set[str]) -> float:
    """Return how far poses are from others by body: the root of the mean square.

    Of what origins are apart, in sizes of the mechanism [m], and turns [rad]; slender bodies are
    not turned about their line, which is left out.
    """
    total = 0.0
    for body, pose in poses.items():
        moved = pose.at - others[body].at
        total += float(moved @ moved) / size ** 2
        if body not in slender:
            cosine = 0.5 * (float(np.sum(pose.turn * others[body].turn)) - 1.0)
            total += float(np.arccos(np.clip(cosine, -1.0, 1.0))) ** 2
    return float(np.sqrt(total / max(len(poses), 1)))


def leaves_limits(mechanism: Any, q: FloatArray) -> bool:
    """Return whether a coordinate is beyond its limits at q (n).

    Angles between two limits in no turn; else in the one in which they are.
    """
    for name, one in mechanism.described.coordinates.items():
        if not np.isfinite((one.lower, one.upper)).any():
            continue
        value = float(q[mechanism.coordinates.index(name)])
        if one.unit == 'rad' and np.isfinite(one.upper - one.lower):
            value -= _TURN * round((value - 0.5 * (one.lower + one.upper)) / _TURN)
        if not one.lower - _OVER <= value <= one.upper + _OVER:
            return True
    return False
