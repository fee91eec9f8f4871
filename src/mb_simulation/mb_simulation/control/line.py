"""Straight from rest to rest, as fast as limits allow."""

import numpy as np

from mb_simulation.control.polynomial_trajectory import PolynomialTrajectory, rest


def line(start, end, limits):
    """Return the PolynomialTrajectory from start to end (g) within Limits.

    The speed grows like 3 u^2 - 2 u^3 over the time T of acceleration, u = t / T, so acceleration
    has its peak of 1.5 speed / T at half of it, and jerk is limited; then it stays, then it falls
    likewise.  Where the way is too short for the whole speed, nothing stays.
    """
    start, way = np.asarray(start, float), np.subtract(end, start)
    slowest, steepest = limits.shares(way, way)
    if slowest == 0.0:
        return rest(start, 1e-3)
    speed, acceleration = 1.0 / slowest, 1.0 / steepest     # of the share of the way
    speed = min(speed, np.sqrt(acceleration / 1.5))
    ramp = 1.5 * speed / acceleration
    steady = 1.0 / speed - ramp
    grow = np.array([-0.5 * speed / ramp ** 3, speed / ramp ** 2, 0.0, 0.0])     # t^4 ... t
    begin, end_of_steady = 0.5 * speed * ramp, 0.5 * speed * ramp + speed * steady
    pieces = [[0.0, *grow, 0.0], [0.0, 0.0, 0.0, 0.0, speed, begin],
              [0.0, *(np.array([0.0, 0.0, 0.0, speed]) - grow), end_of_steady]]
    breaks = np.cumsum([0.0, ramp, steady, ramp])
    chosen = [0, 1, 2] if steady > 1e-9 * ramp else [0, 2]
    coefficients = np.transpose(pieces)[:, chosen, None] * way
    coefficients[-1] += start
    return PolynomialTrajectory(breaks[[*chosen, 3]], coefficients)
