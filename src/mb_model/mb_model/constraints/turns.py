"""Angles that count turns."""

from math import pi

from mb_model.jit import kernel


@kernel
def in_turn_of(angle, old):
    """Return the angle in the turn next to an old value."""
    return angle + 2.0 * pi * round((old - angle) / (2.0 * pi))
