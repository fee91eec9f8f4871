"""Straight lines, rectangles and circles, as fast as limits allow.

Limits: lengths by their joint velocity, angles likewise.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_simulation.control.polynomial_trajectory import PolynomialTrajectory, chain, rest, through


@dataclass(frozen=True)
class Limits:
    """Largest speeds and accelerations of lengths [m] and of angles [rad], each as a vector's size.

    angles (g): which degrees of freedom are angles.
    """

    speed: float                    # [m/s]
    acceleration: float             # [m/s^2]
    turning_speed: float            # [rad/s]
    turning_acceleration: float     # [rad/s^2]
    angles: tuple[bool, ...]

    @classmethod
    def of(cls, mechanism: Mechanism, settings: Any) -> 'Limits':
        """Return the Limits in settings for the degrees of freedom of a mechanism."""
        return cls(settings.speed, settings.acceleration, settings.turning_speed,
                   settings.turning_acceleration,
                   tuple(mechanism.unit(name) == 'rad' for name in mechanism.independent))

    def sizes(self, vectors: FloatArray) -> FloatArray:
        """Return the sizes of the lengths and of the angles in vectors (..., g): (..., 2)."""
        angles = np.array(self.angles)
        return np.stack([np.linalg.norm(np.where(chosen, vectors, 0.0), axis=-1)
                         for chosen in (~angles, angles)], axis=-1)

    def shares(self, zd: FloatArray, zdd: FloatArray) -> tuple[float, float]:
        """Return the largest speed and acceleration of motions (..., g) as shares of the limits."""
        return (float((self.sizes(zd) / (self.speed, self.turning_speed)).max()),
                float((self.sizes(zdd) / (self.acceleration, self.turning_acceleration)).max()))


def line(start: ArrayLike, end: ArrayLike, limits: Limits) -> PolynomialTrajectory:
    """Return the PolynomialTrajectory from start to end (g) within Limits.

    The speed grows like 3 u^2 - 2 u^3 over the time T of acceleration, u = t / T, so acceleration
    has its peak of 1.5 speed / T at half of it, and jerk is limited; then it stays, then it falls
    likewise.  Where the displacement is too short for the whole speed, nothing stays.
    """
    start, displacement = np.asarray(start, float), np.subtract(end, start)
    slowest, steepest = limits.shares(displacement, displacement)
    if slowest == 0.0:
        return rest(start, 1e-3)
    speed, acceleration = 1.0 / slowest, 1.0 / steepest     # of the share of the displacement
    speed = min(speed, np.sqrt(acceleration / 1.5))
    ramp = 1.5 * speed / acceleration
    steady = 1.0 / speed - ramp
    grow = np.array([-0.5 * speed / ramp ** 3, speed / ramp ** 2, 0.0, 0.0])     # t^4 ... t
    begin, end_of_steady = 0.5 * speed * ramp, 0.5 * speed * ramp + speed * steady
    pieces = [[0.0, *grow, 0.0], [0.0, 0.0, 0.0, 0.0, speed, begin],
              [0.0, *(np.array([0.0, 0.0, 0.0, speed]) - grow), end_of_steady]]
    breaks = np.cumsum([0.0, ramp, steady, ramp])
    chosen = [0, 1, 2] if steady > 1e-9 * ramp else [0, 2]
    coefficients = np.transpose(pieces)[:, chosen, None] * displacement
    coefficients[-1] += start
    return PolynomialTrajectory(breaks[[*chosen, 3]], coefficients)


def rectangle(start: ArrayLike, size: Sequence[float], limits: Limits) -> PolynomialTrajectory:
    """Return the PolynomialTrajectory from start (g) to the first corner and round.

    size: (along the first, along the second degree of freedom); its centre is the start.
    """
    corners = [np.array(start, float) for _ in range(4)]
    for corner, signs in zip(corners, ((-1, -1), (1, -1), (1, 1), (-1, 1)), strict=True):
        corner[:2] += 0.5 * np.multiply(signs, size)
    sides = zip([start, *corners], [*corners, corners[0]], strict=True)
    return chain([line(begin, end, limits) for begin, end in sides], repeat_from=1)


_POINTS = 64       # of a round: leaves an error of 1e-11 of the radius


def circle(start: ArrayLike, radius: float, limits: Limits) -> PolynomialTrajectory:
    """Return the PolynomialTrajectory from the start (g), the centre, to the circle and round.

    Its speed is the largest at which neither speed nor acceleration towards the centre is beyond
    the limits; while it grows, over 3 speed / acceleration, the whole acceleration is within them.
    """
    start = np.array(start, float)
    first = start + radius * np.eye(1, len(start))[0]
    rate = min(limits.speed / radius, np.sqrt(limits.acceleration / radius))     # [rad/s]
    ramp = 3.0 * rate * radius / limits.acceleration
    u = np.linspace(0.0, 1.0, 1 + int(np.ceil(_POINTS * rate * ramp / (2.0 * np.pi))))
    grow = _arc(start, radius, ramp * u, rate * ramp * (u ** 3 - 0.5 * u ** 4),
                rate * (3.0 * u ** 2 - 2.0 * u ** 3), rate / ramp * 6.0 * (u - u ** 2))
    times = np.linspace(0.0, 2.0 * np.pi / rate, 1 + _POINTS)
    begin = 0.5 * rate * ramp
    steady = _arc(start, radius, times, begin + rate * times, np.full_like(times, rate),
                  np.zeros_like(times))
    return chain([line(start, first, limits), grow, steady], repeat_from=2)


def _arc(centre: FloatArray, radius: float, times: FloatArray, angle: FloatArray, rate: FloatArray,
         acceleration: FloatArray) -> PolynomialTrajectory:
    """Return the PolynomialTrajectory at angles (k) on a circle, with their rates."""
    def point_at(x: FloatArray, y: FloatArray) -> FloatArray:
        out = np.zeros((len(times), len(centre)))
        out[:, 0], out[:, 1] = radius * x, radius * y
        return out

    out, across = point_at(np.cos(angle), np.sin(angle)), point_at(-np.sin(angle), np.cos(angle))
    rate, acceleration = rate[:, None], acceleration[:, None]
    return through(times, centre + out, rate * across, acceleration * across - rate ** 2 * out)
