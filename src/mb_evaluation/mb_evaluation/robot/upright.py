"""How a mechanism stands in the world: against its gravity, or level if none acts in its plane."""

from math import atan2, cos, pi, sin
from typing import NamedTuple


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


def upright(gravity):
    """Return the Upright of a mechanism whose gravity (2) [m/s^2] acts along -z of the world."""
    x, y = gravity
    if x == 0.0 and y == 0.0:
        return Upright(0.0, 0.0)
    return Upright(0.5 * pi, atan2(-y, -x) - 0.5 * pi)
