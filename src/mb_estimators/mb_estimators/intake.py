"""Which readings are let in: possible ones, of sensors that are on, with credible stamps."""

from dataclasses import dataclass
import math

from mb_estimators.stamps import seconds
from mb_estimators.switches import Switches
from mb_ros.stamp_jump_guard import StampJumpGuard
from mb_sensors.sampling import NANOSECONDS


@dataclass
class Counts:
    """What became of the readings since the start; ignored: those of sensors switched off."""

    used: int = 0
    rejected: int = 0
    late: int = 0
    ignored: int = 0


class Intake:
    """Looks at readings one by one before they are put in order; counts and tells bad ones.

    counts: Counts, to which others may add; switches: which sensors are on.
    """

    def __init__(self, places, rates, tell):
        """Set up for sensors by name with their slices of all channels and rates [Hz].

        tell: called with a sentence for everything that is wrong.
        """
        self._sizes = {name: place.stop - place.start for name, place in places.items()}
        self._rates, self._tell = rates, tell
        self.counts, self.switches = Counts(), Switches()
        self.begin_again()

    def begin_again(self):
        """Take stamps that begin anew."""
        self._guards = {name: StampJumpGuard(round(NANOSECONDS / rate))
                        for name, rate in self._rates.items()}
        self.switches.begin_again()

    def turn(self, sensor, on, stamp):
        """Use a sensor after a stamp [ns], or no longer."""
        self.switches.turn(sensor, on, stamp)
        self._guards[sensor].forget()

    def believe_next(self, sensor):
        """Believe the next reading of a sensor whatever its stamp."""
        self._guards[sensor].forget()

    def let_in(self, sensor, stamp, values, order):
        """Take in a reading; return those of its sensor, (stamp [ns], values), to put in order.

        order: the ReadingOrder, which itself judges stamps that are far ahead of all.
        """
        if len(values) != self._sizes.get(sensor) or not math.isfinite(sum(values)):
            problem = self._problem(sensor, values)
            if problem:
                self.reject(problem)
                return ()
        if not self.switches.is_on(sensor, stamp):
            self.counts.ignored += 1
            return ()
        if order.is_far_ahead(stamp) or self._guards[sensor].goes_on(stamp):
            return ((stamp, values),)
        passage = self._guards[sensor].take(stamp, values)
        for lie, _ in passage.lies:
            self.reject(f'{sensor}: stamp {seconds(lie)} is far ahead of those around it')
        return passage.believed

    def reject(self, problem):
        """Count and tell a reading that is left out."""
        self.counts.rejected += 1
        self._tell(problem)

    def require_known(self, sensor):
        """Raise ValueError for an unknown sensor."""
        if sensor not in self._sizes:
            raise ValueError(self._unknown(sensor))

    def _unknown(self, sensor):
        return f'{sensor}: unknown sensor, expected one of {", ".join(self._sizes)}'

    def _problem(self, sensor, values):
        """Return what is wrong with a reading in itself, or an empty text."""
        if sensor not in self._sizes:
            return self._unknown(sensor)
        expected = self._sizes[sensor]
        if len(values) != expected:
            return f'{sensor}: {len(values)} values in a reading, expected {expected}'
        if not all(math.isfinite(value) for value in values):
            return f'{sensor}: reading is not finite'
        return ''
