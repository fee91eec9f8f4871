"""Stamps as whole nanoseconds: the only time that estimates may depend on."""

from builtin_interfaces.msg import Time

NANOSECONDS = 1_000_000_000


def nanoseconds(stamp):
    """Return a builtin_interfaces/Time as whole nanoseconds."""
    return stamp.sec * NANOSECONDS + stamp.nanosec


def stamp(nanoseconds):
    """Return whole nanoseconds as builtin_interfaces/Time."""
    sec, nanosec = divmod(nanoseconds, NANOSECONDS)
    return Time(sec=sec, nanosec=nanosec)


def from_seconds(seconds):
    """Return seconds as whole nanoseconds, rounded to the nearest."""
    return round(seconds * NANOSECONDS)
