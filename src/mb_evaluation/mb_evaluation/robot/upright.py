"""How a mechanism stands in the world: against its gravity, or level if none acts in its plane."""

from math import atan2, cos, pi, sin
from typing import NamedTuple

import numpy as np

from mb_model.space_api import quaternion, shortest


class Upright(NamedTuple):
    """Turns the frame of a mechanism about its x axis, then about y of the world [rad]."""

    roll: float
    pitch: float

    @property
    def quaternion(self):
        """The same as x, y, z, w."""
        cx, sx = cos(0.5 * self.roll), sin(0.5 * self.roll)
        cy, sy = cos(0.5 * self.pitch), sin(0.5 * self.pitch)
        return cy * sx, sy * cx, -sy * sx, cy * cx


def standing_quaternion(gravity):
    """Return x, y, z, w of how a mechanism stands in the world; gravity (2), in space (3)."""
    if len(gravity) == 2:
        return upright(gravity).quaternion
    w, x, y, z = quaternion(standing(gravity)).tolist()
    return x, y, z, w


def world_place(mechanism, place):
    """Return where a place (3) [m] of a mechanism's frame is in the world (3) [m]."""
    x, y, z, w = standing_quaternion(mechanism.gravity)
    vector, axis = np.asarray(place, float), np.array([x, y, z])
    return vector + 2.0 * np.cross(axis, np.cross(axis, vector) + w * vector)


def standing(gravity):
    """Return the matrix (3, 3) from axes in space to the world's, z against gravity (3)."""
    return np.eye(3) if not np.any(gravity) else shortest(-np.asarray(gravity), [0.0, 0.0, 1.0])


def upright(gravity):
    """Return the Upright of a mechanism whose gravity (2) [m/s^2] acts along -z of the world."""
    x, y = gravity
    if x == 0.0 and y == 0.0:
        return Upright(0.0, 0.0)
    return Upright(0.5 * pi, atan2(-y, -x) - 0.5 * pi)
