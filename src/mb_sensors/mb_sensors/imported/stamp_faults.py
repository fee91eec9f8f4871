"""Stamps as seconds and nanoseconds, and which known fault all of a log, or of a topic, have."""

from collections.abc import Sequence
from itertools import pairwise

from mb_model.arrays import IntArray
from mb_ros.checked_stamps import MALFORMED, STUCK, WRAPPED, unwrapped_nanosec
from mb_sensors.sampling import NANOSECONDS

_SHOWN = 5                  # malformed stamps that show a fault
_FITTING = 0.9              # share of these that the fault explains
_STEPS_BACK = 2             # of nanoseconds, by half a second at least, in the same second


def fault_of(secs: Sequence[int], nanosecs: Sequence[int]) -> str:
    """Return what is wrong with all stamps of a log, or of a topic, in words; '' if nothing is."""
    malformed = [(sec, nanosec) for sec, nanosec in zip(secs, nanosecs, strict=True)
                 if nanosec >= NANOSECONDS]
    if malformed:
        fitting = sum(unwrapped_nanosec(*one) is not None for one in malformed)
        return WRAPPED if fitting >= max(_SHOWN, _FITTING * len(malformed)) else MALFORMED
    back = sum(b + NANOSECONDS // 2 < a for a, b in pairwise(nanosecs))
    return STUCK if back >= _STEPS_BACK and len(set(secs)) == 1 else ''


def as_parts(stamps: Sequence[int] | IntArray) -> tuple[list[int], list[int]]:
    """Return seconds and nanoseconds of stamps [ns]."""
    pairs = [divmod(int(stamp), NANOSECONDS) for stamp in stamps]
    return [sec for sec, _ in pairs], [nanosec for _, nanosec in pairs]
