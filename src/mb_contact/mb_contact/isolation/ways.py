"""Directions of the force of a contact within the cone of friction."""

from math import atan, pi, sqrt

import numpy as np

_IN_PLANE = 6                   # evenly over the cone
_RINGS, _AROUND = 2, 8           # in space


def ways_of(dimension, friction):
    """Return directions (k, 3): shares of the inward normal and of two tangents.

    friction: the largest coefficient.  In space the first tangent is against the sliding; a ring is
    a coefficient of friction, all of them being as likely.
    """
    if dimension == 2:
        half, middle = atan(friction), _IN_PLANE / 2
        angles, around = half * (np.arange(_IN_PLANE) + 0.5 - middle) / middle, np.zeros(_IN_PLANE)
    else:
        angles = np.repeat(np.arctan(friction * (np.arange(_RINGS) + 0.5) / _RINGS), _AROUND)
        around = 2.0 * pi * np.tile(np.arange(_AROUND), _RINGS) / _AROUND
    return np.column_stack([np.cos(angles), np.sin(angles) * np.cos(around),
                            np.sin(angles) * np.sin(around)])


def way_spread(friction):
    """Return the deviation of what a direction in space stands for, along both tangents [rad].

    Each has its part of the disc of all angles.
    """
    return atan(friction) * sqrt(pi / (_RINGS * _AROUND) / 12.0)


def way_turn():
    """Return the angle about the normal that a direction in space stands for [rad]."""
    return 2.0 * pi / _AROUND
