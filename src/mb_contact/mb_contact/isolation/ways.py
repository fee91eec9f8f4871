"""Ways to touch a place: coefficients of friction, and velocities of what touches."""

from math import atan, pi, sqrt

import numpy as np

_ANGLES = 3                     # in the plane
_RINGS, _AROUND = 2, 8          # in space


def ways_of(dimension, friction, speed):
    """Return cosine and sine of the force's angle to the normal, velocities (k, 2), priors (k).

    friction: the largest coefficient, all being as likely; speed: standard deviation of the
    velocity of the surroundings along each tangent [m/s].  The velocities and their priors
    integrate over its normal distribution to degree 5 (Stroud 1971, E_1^(r^2) 5-1, E_2^(r^2) 5-1).
    """
    if dimension == 2:
        angles = atan(friction) * (np.arange(_ANGLES) + 0.5) / _ANGLES
        velocities = np.outer([0.0, sqrt(3.0), -sqrt(3.0)], [1.0, 0.0])
        priors = np.array([2.0, 0.5, 0.5]) / 3.0
    else:
        angles = np.arctan(friction * (np.arange(_RINGS) + 0.5) / _RINGS)
        around = pi / 3.0 * np.arange(6)
        velocities = np.vstack([np.zeros(2), 2.0 * np.column_stack(
            [np.cos(around), np.sin(around)])])
        priors = np.array([0.5, *(6 * [1.0 / 12.0])])
    angle = np.repeat(angles, len(velocities))
    return (np.column_stack([np.cos(angle), np.sin(angle)]),
            speed * np.tile(velocities, (len(angles), 1)),
            np.tile(priors, len(angles)) / len(angles))


def way_spread(friction):
    """Return the deviation of what a direction in space stands for, along both tangents [rad].

    Each has its part of the disc of all angles.
    """
    return atan(friction) * sqrt(pi / (_AROUND * _RINGS) / 12.0)


def stuck_spread(friction):
    """Return the deviation of the direction of a force that does not slide [rad].

    All directions within the cone are as likely.
    """
    return 0.5 * atan(friction)
