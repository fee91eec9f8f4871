"""Stamps that leap ahead: believed when the next reading of the same sensor has leapt, too."""

from dataclasses import dataclass
from typing import Any

from mb_sensors.sampling import NANOSECONDS

LEAP = 10       # periods of a sensor between two readings: more have to be confirmed


class Leaps:
    """Holds a reading back that is far ahead of its sensor's last one.

    A single wrong stamp that was believed would make all the right ones after it look old.  Whether
    a sensor has been silent for a while, or a stamp is wrong, its next reading shows: then either
    both readings are believed, or the first is a lie.
    """

    def __init__(self, rates):
        """Set up for sensors by name with their rates [Hz]; they may send less often."""
        self._periods = {name: round(NANOSECONDS / rate) for name, rate in rates.items()}
        self._believed = {}
        for name in rates:
            self.forget(name)

    def forget(self, sensor):
        """Believe the next reading of a sensor whatever its stamp."""
        period = self._periods[sensor]
        self._believed[sensor] = _Believed(period, LEAP * period)

    def take(self, sensor, stamp, values):
        """Take in a reading; return (readings to believe, oldest first; lies).

        A reading is (stamp [ns], values).
        """
        known, reading = self._believed[sensor], (stamp, values)
        newest, doubtful = known.newest, known.doubtful
        if newest is None:
            known.newest = stamp
            return (reading,), ()
        if stamp <= newest:                         # old: tells nothing of what is ahead
            return (reading,), ()
        if doubtful and stamp == doubtful[0]:       # sent twice: no witness
            return (), (reading,)
        if stamp <= newest + known.bound:
            known.go_on(newest, stamp)
            return (reading,), ((doubtful,) if doubtful else ())
        if doubtful and 0 < stamp - doubtful[0] <= max(known.bound, doubtful[0] - newest):
            known.go_on(doubtful[0], stamp)
            return (doubtful, reading), ()
        known.doubtful = reading
        return (), ((doubtful,) if doubtful else ())


@dataclass(slots=True)
class _Believed:
    """What is believed of the stamps of one sensor [ns]."""

    period: int
    bound: int                                      # to the next one, beyond which it is a leap
    newest: int | None = None
    doubtful: tuple[int, Any] | None = None         # reading that waits for the next one

    def go_on(self, before, stamp):
        """Go on from a stamp after the one before it."""
        self.newest, self.doubtful = stamp, None
        self.bound = LEAP * max(self.period, stamp - before)
