"""Stamps that leap ahead: believed when the next reading of the same sensor has leapt, too."""

from mb_sensors.sampling import NANOSECONDS

LEAP = 10       # periods of a sensor between two readings: more have to be confirmed


class Leaps:
    """Holds a reading of a sensor back that is far ahead of its last one.

    A single wrong stamp that was believed would make all the right ones after it look old.  Whether
    a sensor has been silent for a while, or a stamp is wrong, its next reading shows: then either
    both readings are believed, or the first is a lie.
    """

    __slots__ = '_bound', '_doubtful', '_newest', '_period'

    def __init__(self, rate):
        """Set up for a sensor with a rate [Hz]; it may send less often."""
        self._period = round(NANOSECONDS / rate)
        self.forget()

    def forget(self):
        """Believe the next reading whatever its stamp."""
        self._newest = None             # stamp that is believed [ns]
        self._bound = LEAP * self._period       # to the next one
        self._doubtful = None           # (stamp, values) that wait

    def goes_on(self, stamp):
        """Tell whether a stamp [ns] can be believed at once, nothing being in doubt; then do so."""
        newest = self._newest
        if newest is None or self._doubtful or not newest < stamp <= newest + self._bound:
            return False
        self._believe(newest, stamp)
        return True

    def take(self, stamp, values):
        """Take in a reading; return (readings to believe, oldest first; lies), each a list.

        A reading is (stamp [ns], values).
        """
        newest, doubtful, reading = self._newest, self._doubtful, (stamp, values)
        if newest is None:
            self._newest = stamp
            return [reading], []
        if stamp <= newest:                         # old: tells nothing of what is ahead
            return [reading], []
        if doubtful and stamp == doubtful[0]:       # sent twice: no witness
            return [], [reading]
        if stamp <= newest + self._bound:
            self._believe(newest, stamp)
            return [reading], [doubtful] if doubtful else []
        if doubtful and 0 < stamp - doubtful[0] <= max(self._bound, doubtful[0] - newest):
            self._believe(doubtful[0], stamp)
            return [doubtful, reading], []
        self._doubtful = reading
        return [], [doubtful] if doubtful else []

    def _believe(self, before, stamp):
        """Go on from a stamp after the one before it [ns]."""
        self._newest, self._doubtful = stamp, None
        self._bound = LEAP * max(self._period, stamp - before)
