"""Which sensors are used, as users switch them off and on."""

from math import inf


class Switches:
    """Tells whether the readings of a sensor are used; all are until it is switched off.

    One that is switched on again is used after the stamp [ns] of the last instant until then.
    """

    def __init__(self):
        self._last = {}             # sensor -> (on, stamp after which that holds)

    @property
    def off(self):
        """Names of the sensors that are switched off."""
        return [name for name, (on, _) in self._last.items() if not on]

    def turn(self, sensor, on, stamp):
        """Use a sensor after a stamp, or no longer."""
        self._last[sensor] = on, stamp

    def is_on(self, sensor, stamp):
        """Tell whether a reading of a sensor at a stamp is used."""
        if not self._last:
            return True
        on, since = self._last.get(sensor, (True, -inf))
        return on and stamp > since

    def begin_again(self):
        """Leave the sensors as they are, for stamps that begin anew."""
        self._last = dict.fromkeys(self.off, (False, -1))

    def remember(self):
        """Return what `recall` takes."""
        return self._last.copy()

    def recall(self, memory):
        """Be as when that was remembered."""
        self._last = dict(memory)
