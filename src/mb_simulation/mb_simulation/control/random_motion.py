"""Random motion that stays in a region and within limits, from rest to rest."""

import numpy as np
from scipy.interpolate import BSpline

from mb_simulation.control.polynomial_trajectory import of_spline

_DEGREE = 5
_STILL = _DEGREE + 1      # equal control points in a row that make the motion rest at them


def random_motion(start, reach, turn, limits, duration, seed):
    """Return a PolynomialTrajectory of at least `duration` [s] that ends where it started.

    It is a B-spline, so it never leaves the region of its control points, which is convex: lengths
    within a ball of radius `reach` [m] about the start (g), angles within +-`turn` [rad] of it.
    Every target is repeated up to six times: after one the motion passes nearby, at six it rests
    there.  Time is scaled so that limits are just reached.
    """
    count, length = 64, 0.0
    while length < duration:
        points = _control_points(np.asarray(start, float), count, reach, turn, limits, seed)
        pieces = len(points) - _DEGREE
        knots = np.arange(len(points) + _DEGREE + 1.0) - _DEGREE
        spline = BSpline(knots, points, _DEGREE)
        samples = np.linspace(0.0, pieces, 16 * pieces + 1)
        speed, acceleration = limits.shares(spline(samples, 1), spline(samples, 2))
        scale = max(speed, np.sqrt(acceleration))       # time between knots [s]
        length, count = pieces * scale, 2 * count
    return of_spline(BSpline(scale * knots, points, _DEGREE), repeat_from=0.0)


def _control_points(start, count, reach, turn, limits, seed):
    """Return control points (k, g) for `count` targets, from rest at the start to rest there."""
    rng = np.random.default_rng(seed)
    angles = np.array(limits.angles)
    points = [start] * _STILL
    for _ in range(count):
        target = start + np.where(angles, turn * rng.uniform(-1.0, 1.0, len(start)), 0.0)
        if not angles.all():
            target[~angles] += reach * _in_ball(rng, int((~angles).sum()))
        points += [target] * int(rng.integers(1, _STILL + 1))
    return np.array(points + [start] * _STILL)


def _in_ball(rng, size):
    """Return a point (size) of uniform density in a ball of radius 1."""
    direction = rng.normal(size=size)
    return direction / np.linalg.norm(direction) * rng.uniform() ** (1.0 / size)
