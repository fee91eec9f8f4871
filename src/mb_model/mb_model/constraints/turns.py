"""Angles that count turns."""

from math import pi

from numba import njit


@njit(cache=True)
def in_turn_of(angle, old):
    """Return the angle in the turn next to an old value."""
    return angle + 2.0 * pi * round((old - angle) / (2.0 * pi))
