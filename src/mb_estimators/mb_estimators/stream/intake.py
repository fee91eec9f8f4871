"""The check of readings: possible ones, of sensors that are on, with credible stamps."""

from collections.abc import Callable, Sequence
import math
from typing import Any

from mb_estimators.stream.stream_state import IntakeState
from mb_estimators.timeline import seconds
from mb_ros.stamp_jump_guard import StampJumpGuard
from mb_sensors import NANOSECONDS, Sensor


class Intake:
    """Checks readings one by one before they are put in order; counts and reports bad ones."""

    def __init__(self, sensors: Sequence[Sensor], report: Callable[[str], object]) -> None:
        """Set up for Sensors; report: called with a sentence for everything that is wrong.

        NaN of a sporadic sensor says that there is nothing to read.
        """
        self._sizes = {sensor.name: len(sensor.channels) for sensor in sensors}
        self._rates = {sensor.name: sensor.settings.rate for sensor in sensors}
        self._sporadic = {sensor.name for sensor in sensors if sensor.settings.sporadic}
        self._report = report

    def begin_again(self, state: IntakeState) -> None:
        """Take stamps that begin anew."""
        state.guards = {name: StampJumpGuard(round(NANOSECONDS / rate))
                        for name, rate in self._rates.items()}
        state.switches.begin_again()

    def turn(self, state: IntakeState, sensor: str, on: bool, stamp: int) -> None:
        """Use a sensor after a stamp [ns], or no longer."""
        state.switches.last[sensor] = on, stamp
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

    def reject(self, state: IntakeState, problem: str) -> list[Any]:
        """Count and report a reading, or inputs, that are left out; return no Steps."""
        state.counts.rejected += 1
        self._report(problem)
        return []

    def require_known(self, sensor: str) -> None:
        """Raise ValueError for an unknown sensor."""
        if sensor not in self._sizes:
            raise ValueError(self._unknown(sensor))

    def _unknown(self, sensor: str) -> str:
        return f'{sensor}: unknown sensor, expected one of {", ".join(self._sizes)}'

    def _problem(self, sensor: str, values: Sequence[float]) -> str:
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
