"""Stamps as whole nanoseconds: the only time that estimates may depend on."""

from builtin_interfaces.msg import Time

from mb_ros.checked_stamps import NANOSECONDS, serialised_fields


class MalformedStampError(ValueError):
    """A stamp whose nanoseconds are no part of a second: no clock shows it."""


def nanoseconds(stamp: Time) -> int:
    """Return a builtin_interfaces/Time as whole nanoseconds."""
    return stamp.sec * NANOSECONDS + stamp.nanosec


def is_representable(stamp: Time) -> bool:
    """Return whether a builtin_interfaces/Time can be written again once its parts are in range."""
    return stamp.sec + stamp.nanosec // NANOSECONDS < 2 ** 31


def stamp(nanoseconds: int) -> Time:
    """Return whole nanoseconds as builtin_interfaces/Time."""
    sec, nanosec = divmod(nanoseconds, NANOSECONDS)
    return Time(sec=sec, nanosec=nanosec)


def set_stamp(stamp: Time, nanoseconds: int) -> None:
    """Let a builtin_interfaces/Time be whole nanoseconds."""
    stamp.sec, stamp.nanosec = divmod(nanoseconds, NANOSECONDS)


def from_seconds(seconds: float) -> int:
    """Return seconds as whole nanoseconds, rounded to the nearest."""
    return round(seconds * NANOSECONDS)


def serialised_stamp(data: bytes) -> int:
    """Return the stamp of a serialised message that begins with a header, whole nanoseconds.

    Raises MalformedStampError.
    """
    return _whole(*serialised_fields(data))


def sound_nanoseconds(stamp: Time) -> int:
    """Return a builtin_interfaces/Time as whole nanoseconds.  Raises MalformedStampError."""
    return _whole(stamp.sec, stamp.nanosec)


def _whole(sec: int, nanosec: int) -> int:
    if nanosec >= NANOSECONDS:
        raise MalformedStampError(f'a stamp of {sec} s and {nanosec} ns, which must be less than '
                                  '1e9, is left out')
    return sec * NANOSECONDS + nanosec
