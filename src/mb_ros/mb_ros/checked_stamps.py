"""Stamps that no clock shows: detected, named, and repaired where it is known how.

Drivers are known that take the nanoseconds of a stamp modulo 2^32 in place of 10^9, and some that
never advance its seconds.  Summed up, such stamps run at another pace than time.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
import struct

from mb_ros.device_clock import DeviceClock, Unwrapped

NANOSECONDS = 1_000_000_000
WORD = 2 ** 32
POLICIES = REFUSE, REPAIR, ARRIVAL = 'refuse', 'repair', 'arrival'
MALFORMED = 'nanosec is 1e9 or more'
WRAPPED = 'nanosec begins anew at 2^32, not at 1e9'
STUCK = 'sec does not advance'
_IN_A_ROW = 5               # malformed stamps that show a fault
_FEW = 3                    # of these, that are left of a fault that explains them
_ENDED = 10 * NANOSECONDS   # without one [ns]
_STEPS_BACK = 2             # of nanoseconds, by half a second at least, in the same second
_FITTING = 0.9              # share of all malformed stamps that a fault explains
_FOREVER = 2 ** 63
# Of a serialised message that begins with a header: encapsulation, then the stamp.
_LITTLE, _STAMP = 1, {True: '<iI', False: '>iI'}


class CheckedStamps:
    """The stamps of one topic, in the order of arrival.

    policy: one of POLICIES: what becomes of stamps with a fault; fault: what is wrong with the
    topic's stamps, in words, empty if nothing is; counts: of stamps that were left out, repaired,
    or replaced by the arrival.
    """

    def __init__(self, policy: str = 'refuse', fault: str = '') -> None:
        """Set up; fault: that is known from an earlier look.  Raises ValueError."""
        if policy not in POLICIES:
            raise ValueError(f'stamps: {policy!r} must be one of {", ".join(POLICIES)}')
        self.policy, self.fault = policy, fault
        self.counts: Counter[str] = Counter()
        self._sec: int | None = None            # of the last stamp
        self._nanosec = -1
        self._since = 0             # arrival of the first one of that second [ns]
        self._steps_back = 0
        self._row: list[bool] = []  # malformed ones in a row: whether they fit WRAPPED
        self._malformed = 0         # arrival of the last one [ns]
        self._clock: tuple[DeviceClock, Unwrapped] | None = None    # for one fault
        self._clock_of = ''

    def take(self, sec: int, nanosec: int, arrival: int) -> int | None:
        """Return a stamp as whole nanoseconds, None if it is to be left out.

        arrival [ns]: when its message came.
        """
        self._look(sec, nanosec, arrival)
        stamp = None
        if self.policy == 'arrival':
            stamp, done = self._by_arrival(sec, nanosec, arrival), 'replaced by the arrival'
        elif not self.fault and nanosec < NANOSECONDS:
            return sec * NANOSECONDS + nanosec
        elif self.policy == 'repair':
            stamp, done = self._repaired(sec, nanosec, arrival), 'repaired'
        self.counts['left out' if stamp is None else done] += 1
        return stamp

    @property
    def words(self) -> str:
        """What is wrong with the topic's stamps, and which settings mend it."""
        mending = {WRAPPED: 'stamps: repair computes them, stamps: arrival replaces them',
                   STUCK: 'stamps: repair takes the seconds from the arrival, stamps: arrival '
                          'replaces them'}
        fault = self.fault or MALFORMED
        return (f'its stamps are malformed: {fault} '
                f'({mending.get(fault, "stamps: arrival replaces them")})')

    def _look(self, sec: int, nanosec: int, arrival: int) -> None:
        """Note a stamp; write `fault`."""
        if nanosec >= NANOSECONDS:
            self._row = [*self._row[1 - _IN_A_ROW:], unwrapped_nanosec(sec, nanosec) is not None]
            self._malformed = arrival
            if len(self._row) == _IN_A_ROW and (self.fault != WRAPPED or sum(self._row) < _FEW):
                self.fault = WRAPPED if all(self._row) and self.fault != MALFORMED else MALFORMED
        else:
            self._row = []
            if self.fault in (WRAPPED, MALFORMED) and self._malformed and (
                    arrival - self._malformed > _ENDED):
                self.fault = ''
        if sec != self._sec:
            if self.fault == STUCK and self._sec is not None:
                self.fault = ''
            self._sec, self._since, self._steps_back = sec, arrival, 0
        elif not self.fault and nanosec + NANOSECONDS // 2 < self._nanosec:
            self._steps_back += 1
            if self._steps_back >= _STEPS_BACK and arrival - self._since > NANOSECONDS:
                self.fault = STUCK
        self._nanosec = nanosec

    def _repaired(self, sec: int, nanosec: int, arrival: int) -> int | None:
        if self.fault == WRAPPED:
            rest = unwrapped_nanosec(sec, nanosec)
            return None if rest is None else sec * NANOSECONDS + rest
        if self.fault == STUCK and nanosec < NANOSECONDS:
            return self._clock_for(NANOSECONDS)[1].take(nanosec, arrival)
        return None

    def _by_arrival(self, sec: int, nanosec: int, arrival: int) -> int:
        """Return the arrival without its jitter, as far as the stamp is a clock's."""
        if self.fault == MALFORMED or (not self.fault and nanosec >= NANOSECONDS):
            return arrival
        period = {WRAPPED: WORD, STUCK: NANOSECONDS}.get(self.fault, _FOREVER)
        clock, unwrapped = self._clock_for(period)
        count = nanosec if self.fault else sec * NANOSECONDS + nanosec
        if unwrapped.last_count == count:       # it stands still
            self._clock = None
            return arrival
        return clock.arrival(unwrapped.take(count, arrival), arrival)

    def _clock_for(self, period: int) -> tuple[DeviceClock, Unwrapped]:
        """Return the clock of the present fault, whose count begins anew after a period [ns]."""
        if self._clock is None or self._clock_of != self.fault:
            self._clock = DeviceClock(_FOREVER), Unwrapped(period)
            self._clock_of = self.fault
        return self._clock


def unwrapped_nanosec(sec: int, nanosec: int) -> int | None:
    """Return the nanoseconds within the second, of a stamp that has the time modulo 2^32.

    None if there are none: then it was not made so.
    """
    rest = (nanosec - sec * NANOSECONDS) % WORD
    return rest if rest < NANOSECONDS else None


def serialised_fields(data: bytes) -> tuple[int, int]:
    """Return (sec, nanosec) of the stamp of a serialised message that begins with a header."""
    return struct.unpack_from(_STAMP[data[1] & _LITTLE == _LITTLE], data, 4)


def fault_of(secs: Sequence[int], nanosecs: Sequence[int]) -> str:
    """Return what is wrong with all stamps of a recording, in words; '' if nothing is."""
    malformed = [(sec, nanosec) for sec, nanosec in zip(secs, nanosecs, strict=True)
                 if nanosec >= NANOSECONDS]
    if malformed:
        fitting = sum(unwrapped_nanosec(*one) is not None for one in malformed)
        return WRAPPED if fitting >= max(_IN_A_ROW, _FITTING * len(malformed)) else MALFORMED
    back = sum(b + NANOSECONDS // 2 < a for a, b in pairwise(nanosecs))
    return STUCK if back >= _STEPS_BACK and len(set(secs)) == 1 else ''
