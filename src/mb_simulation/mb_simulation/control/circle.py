"""A circle of the first two degrees of freedom, round after round at a steady speed."""

import numpy as np

from mb_simulation.control.line import line
from mb_simulation.control.polynomial_trajectory import chain, through

_POINTS = 64       # of a round: leaves an error of 1e-11 of the radius


def circle(start, radius, limits):
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


def _arc(centre, radius, times, angle, rate, acceleration):
    """Return the PolynomialTrajectory at angles (k) on a circle, with their rates."""
    def place(x, y):
        out = np.zeros((len(times), len(centre)))
        out[:, 0], out[:, 1] = radius * x, radius * y
        return out

    out, across = place(np.cos(angle), np.sin(angle)), place(-np.sin(angle), np.cos(angle))
    rate, acceleration = rate[:, None], acceleration[:, None]
    return through(times, centre + out, rate * across, acceleration * across - rate ** 2 * out)
