"""Stamps that leap ahead: believed when the next reading of the same sensor has leapt, too."""

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
        self._newest = {}           # stamp of what each sensor is believed [ns]
        self._gaps = {}             # between the last two of these
        self._doubtful = {}         # (stamp, values) that wait, by sensor

    def forget(self, sensor):
        """Believe the next reading of a sensor whatever its stamp."""
        for known in (self._newest, self._gaps, self._doubtful):
            known.pop(sensor, None)

    def take(self, sensor, stamp, values):
        """Take in a reading; return (readings to believe, oldest first; lies), each a list.

        A reading is (stamp [ns], values).
        """
        newest, reading = self._newest.get(sensor), (stamp, values)
        if newest is None:
            self._newest[sensor] = stamp
            return [reading], []
        if stamp <= newest:                         # old: tells nothing of what is ahead
            return [reading], []
        doubtful = self._doubtful.get(sensor)
        if doubtful and stamp == doubtful[0]:       # sent twice: no witness
            return [], [reading]
        bound = LEAP * max(self._periods[sensor], self._gaps.get(sensor, 0))
        if stamp <= newest + bound:
            self._believe(sensor, newest, stamp)
            return [reading], [doubtful] if doubtful else []
        if doubtful and 0 < stamp - doubtful[0] <= max(bound, doubtful[0] - newest):
            self._believe(sensor, doubtful[0], stamp)
            return [doubtful, reading], []
        self._doubtful[sensor] = reading
        return [], [doubtful] if doubtful else []

    def _believe(self, sensor, before, stamp):
        """Go on from a stamp after the one before it [ns]."""
        self._newest[sensor], self._gaps[sensor] = stamp, stamp - before
        self._doubtful.pop(sensor, None)
