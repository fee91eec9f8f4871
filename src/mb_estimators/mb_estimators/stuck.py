"""Sensors that go on sending one value while the machine moves."""

from collections import Counter

_DEVIATIONS = 4.0         # of an innovation that a repeated reading cannot have


class StuckWatch:
    """Leaves readings of a sensor out that are repeated where they can no longer be true.

    A sensor may repeat itself: at rest, or for its resolution.  It sticks when it has done so often
    enough, and its innovation has become too large; until it reads anything else.
    watches: whether there is anything to ask it.
    """

    def __init__(self, places, repetitions):
        """Set up for sensors with their slices of all channels; repetitions: 0 for never."""
        self._places, self._enough = places, repetitions
        self.watches = repetitions > 0      # otherwise nobody ever sticks
        self._last, self._repeated, self._stuck = {}, Counter(), set()

    def remember(self):
        """Return all that is known of the readings so far, for recall."""
        if not self.watches:
            return None
        return self._last.copy(), self._repeated.copy(), self._stuck.copy()

    def recall(self, memory):
        """Go back to where `remember` was called."""
        if memory:
            self._last, self._repeated, self._stuck = (known.copy() for known in memory)

    def sticks(self, sensor, values):
        """Take in a reading; tell whether it is to be left out."""
        values = tuple(values)
        if self._last.get(sensor) != values:
            self._repeated[sensor] = 0
            self._stuck.discard(sensor)
        self._last[sensor] = values
        self._repeated[sensor] += 1
        return sensor in self._stuck

    def check(self, innovation):
        """Look at how the last readings fitted; return the sensors that stick from now on."""
        found = []
        for place, channel in enumerate(innovation.channels):
            bound = _DEVIATIONS ** 2 * innovation.covariance[place, place]
            if innovation.residual[place] ** 2 > bound:
                found += [name for name, own in self._places.items()
                          if own.start <= channel < own.stop
                          and self._repeated[name] > self._enough and name not in self._stuck]
        self._stuck.update(found)
        return found
