"""How a mechanism stands in the world: against its gravity, or level if none acts in its plane."""

import numpy as np
from numpy.typing import ArrayLike

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.space_api import of_roll_pitch_yaw, quaternion, shortest


def standing(gravity: ArrayLike) -> FloatArray:
    """Return the matrix (3, 3) from a mechanism's axes to the world's, whose z is against gravity.

    gravity: (2) in the plane, whose x-y plane is upright then, or (3).
    """
    if not np.any(gravity):
        return np.eye(3)
    if len(gravity) == 3:
        return shortest(-np.asarray(gravity), [0.0, 0.0, 1.0])
    x, y = gravity
    return of_roll_pitch_yaw([0.5 * np.pi, np.arctan2(-y, -x) - 0.5 * np.pi, 0.0])


def standing_quaternion(gravity: ArrayLike) -> tuple[float, float, float, float]:
    """Return x, y, z, w of how a mechanism stands in the world; gravity: (2) or (3)."""
    w, x, y, z = quaternion(standing(gravity)).tolist()
    return x, y, z, w


def in_world(mechanism: Mechanism, position: ArrayLike) -> FloatArray:
    """Return where a position (3) [m] in a mechanism's frame is in the world (3) [m]."""
    return standing(mechanism.gravity) @ np.asarray(position, float)
