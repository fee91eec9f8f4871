"""Stamps in words."""

from mb_sensors import NANOSECONDS


def seconds(stamp):
    """Return a stamp [ns] in words."""
    return f'{stamp / NANOSECONDS:.6f} s'
