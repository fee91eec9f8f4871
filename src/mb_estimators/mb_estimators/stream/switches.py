"""Which sensors are used, as users switch them off and on."""

from dataclasses import field
from math import inf

from mb_estimators.state import state_class


@state_class
class Switches:
    """Whether the readings of a sensor are used; all are until it is switched off.

    A sensor that is switched on again is used after the stamp [ns] of the last instant until then.
    last: sensor -> (on, stamp after which that holds).
    """

    last: dict[str, tuple[bool, int]] = field(default_factory=dict)

    @property
    def off(self):
        """Names of the sensors that are switched off."""
        return [name for name, (on, _) in self.last.items() if not on]

    def turn(self, sensor, on, stamp):
        """Use a sensor after a stamp, or no longer."""
        self.last[sensor] = on, stamp

    def is_on(self, sensor, stamp):
        """Return whether a reading of a sensor at a stamp is used."""
        if not self.last:
            return True
        on, since = self.last.get(sensor, (True, -inf))
        return on and stamp > since

    def begin_again(self):
        """Leave the sensors as they are, for stamps that begin anew."""
        self.last = dict.fromkeys(self.off, (False, -1))
