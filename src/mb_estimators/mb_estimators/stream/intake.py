"""The check of readings: possible ones, of sensors that are on, with credible stamps."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
import math
from math import inf
from typing import Any

from mb_estimators.state import state_class
from mb_estimators.timeline import seconds
from mb_ros.stamp_jump_guard import StampJumpGuard
from mb_sensors import NANOSECONDS


@state_class
class Switches:
    """Whether the readings of a sensor are used; all are until it is switched off.

    A sensor that is switched on again is used after the stamp [ns] of the last instant until then.
    last: sensor -> (on, stamp after which that holds).
    """

    last: dict[str, tuple[bool, int]] = field(default_factory=dict)

    @property
    def off(self) -> list[str]:
        """Names of the sensors that are switched off."""
        return [name for name, (on, _) in self.last.items() if not on]

    def turn(self, sensor: str, on: bool, stamp: Any) -> None:
        """Use a sensor after a stamp, or no longer."""
        self.last[sensor] = on, stamp

    def is_on(self, sensor: str, stamp: int) -> bool:
        """Return whether a reading of a sensor at a stamp is used."""
        if not self.last:
            return True
        on, since = self.last.get(sensor, (True, -inf))
        return on and stamp > since

    def begin_again(self) -> None:
        """Leave the sensors as they are, for stamps that begin anew."""
        self.last = dict.fromkeys(self.off, (False, -1))


@state_class
class Counts:
    """Counts of the readings since the start; ignored: of sensors switched off."""

    used: int = 0
    rejected: int = 0
    late: int = 0
    ignored: int = 0


@state_class
class IntakeState:
    """Counts, which sensors are on, and the StampJumpGuard of each sensor."""

    counts: Counts = field(default_factory=Counts)
    switches: Switches = field(default_factory=Switches)
    guards: dict[str, StampJumpGuard] = field(default_factory=dict)


class Intake:
    """Checks readings one by one before they are put in order; counts and reports bad ones."""

    def __init__(self, places: Mapping[str, slice], rates: Mapping[str, float],
                 report: Callable[[str], object], sporadic: Collection[str] = ()) -> None:
        """Set up for sensors by name with their slices of all channels and rates [Hz].

        report: called with a sentence for everything that is wrong; sporadic: names of sensors
        whose NaN says that there is nothing to read.
        """
        self._sizes = {name: place.stop - place.start for name, place in places.items()}
        self._rates, self._report, self._sporadic = rates, report, frozenset(sporadic)

    def begin_again(self, state: IntakeState) -> None:
        """Take stamps that begin anew."""
        state.guards = {name: StampJumpGuard(round(NANOSECONDS / rate))
                        for name, rate in self._rates.items()}
        state.switches.begin_again()

    def turn(self, state: IntakeState, sensor: str, on: bool, stamp: int | None) -> None:
        """Use a sensor after a stamp [ns], or no longer."""
        state.switches.turn(sensor, on, stamp)
        state.guards[sensor].forget()

    def let_in(self, state: IntakeState, sensor: str, stamp: int, values: Sequence[float],
               is_far_ahead: bool) -> Sequence[tuple[int, Any]]:
        """Check a reading; return readings of its sensor, (stamp [ns], values), to put in order.

        is_far_ahead: whether its stamp is far ahead of all, by the ReadingOrder.
        """
        if len(values) != self._sizes.get(sensor) or not math.isfinite(sum(values)):
            problem = self._problem(sensor, values)
            if problem:
                self.reject(state, problem)
                return ()
        if not state.switches.is_on(sensor, stamp):
            state.counts.ignored += 1
            return ()
        if is_far_ahead or state.guards[sensor].goes_on(stamp):
            return ((stamp, values),)
        passage = state.guards[sensor].take(stamp, values)
        for lie, _ in passage.lies:
            self.reject(state, f'{sensor}: stamp {seconds(lie)} is far ahead of those around it')
        return passage.believed

    def reject(self, state: IntakeState, problem: str) -> None:
        """Count and report a reading that is left out."""
        state.counts.rejected += 1
        self._report(problem)

    def require_known(self, sensor: str) -> None:
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
        if sensor in self._sporadic and all(map(math.isnan, values)):
            return ''
        if not all(math.isfinite(value) for value in values):
            return f'{sensor}: reading is not finite'
        return ''
