"""From stamped readings, in any order, to estimates."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.filter import Estimate, Filter, Innovation
from mb_estimators.state import copied
from mb_estimators.stream.filter_run import FilterRun
from mb_estimators.stream.instant_run import InstantRun
from mb_estimators.stream.intake import Intake
from mb_estimators.stream.interpolation import Interpolation
from mb_estimators.stream.reading_order import ReadingOrder
from mb_estimators.stream.step import Step
from mb_estimators.stream.stream_settings import StreamSettings
from mb_estimators.stream.stream_state import IntakeState, StreamState, Suspect, Verdict
from mb_estimators.timeline import HeldInputs, ReadInputs, seconds
from mb_estimators.watches.gating import GateSettings
from mb_model import require_sensible
from mb_sensors import NANOSECONDS, Sensor


class EstimateStream:
    """Feeds a filter with the readings of its sensors.

    The estimates are a function of the stamped readings alone: not of the time or, within the
    reorder window, the order of arrival.  Readings of past instants within the history correct
    these and all later ones: the estimates after them are as if all had come in order.  Impossible
    readings are counted, reported, left out.  Requests of users (enable, set_state, reset, retune)
    hold from the next instant on.

    All changing data, and figures of them, are in `state`, a StreamState.  Its parts act on it: the
    Intake lets readings in, the ReadingOrder has them wait for their instants, and the InstantRun
    steps a FilterRun through these, and back to late ones.
    """

    def __init__(self, estimator: Filter, sensors: Sequence[Sensor],
                 initial: tuple[ArrayLike, ArrayLike], settings: StreamSettings,
                 report: Callable[[str], object] = lambda problem: None,
                 gates: Mapping[str, GateSettings] | None = None,
                 inputs: type[HeldInputs] = HeldInputs) -> None:
        """Set up.

        estimator: a Filter; sensors: its Sensor objects; initial: (z, zd) at the start; settings:
        StreamSettings; report: called with a sentence for every problem of the
        readings; gates: GateSettings of sensors by name; inputs: HeldInputs, or ReadInputs, for
        which instants wait.
        Raises FilterError.
        """
        self._initial, self._report, self._new_inputs = initial, report, inputs
        self._intake = Intake(sensors, report)
        self._set_up(estimator, sensors, settings, gates or {})
        self._run.rehearse(inputs is ReadInputs)
        self.state = StreamState(self._run.new_state(), self._order.new_state())
        self._start(self._start_time)

    def _set_up(self, estimator: Filter, sensors: Sequence[Sensor], settings: StreamSettings,
                gates: Mapping[str, GateSettings]) -> None:
        """Make all parts that depend on settings, not the state.  Raises FilterError."""
        run = FilterRun(estimator, sensors, self._initial, settings, gates, self._report)
        goes_back = settings.history_length > 0.0 and not run.keeps_open
        order = ReadingOrder({sensor.name: sensor.settings.rate for sensor in sensors},
                             settings.reorder_window, settings.longest_gap,
                             settings.history_length if goes_back else 0.0)
        instants = InstantRun(run, order, self._intake, settings, self._report, goes_back,
                              self._new_inputs is ReadInputs)
        self._settings, self._sensors = settings, sensors
        self._run, self._order, self._instants = run, order, instants

    def take_impossible(self, before: int | None = None) -> list[tuple[int, Innovation]]:
        """Return (stamp [ns], Innovation) of instants whose readings were all impossible, once.

        before: a stamp [ns] that ends them, None for all.
        """
        waiting, taken = self._run.impossible, []
        while waiting and (before is None or waiting[0][0] < before):
            taken.append(waiting.popleft())
        return taken

    def add(self, sensor: str, stamp: int, values: Sequence[float]) -> list[Step]:
        """Add the reading of a sensor at a stamp [ns]; return the Steps that it completes."""
        return self.add_all(stamp, [(sensor, values)])

    def add_all(self, stamp: int, readings: Iterable[tuple[str, Sequence[float]]]) -> list[Step]:
        """Add readings (sensor, values) of a stamp [ns] that have come in one message.

        Returns the Steps that they complete.
        """
        state, may_complete = self.state, False
        steps: list[Step] = []
        for sensor, values in readings:
            if state.run.diverged:
                self._reject(f'filter has diverged: {state.run.diverged}')
                continue
            is_far_ahead = self._order.is_far_ahead(state.order, stamp)
            for at, believed in self._intake.let_in(
                    state.intake, sensor, stamp, values, is_far_ahead):
                again = self._put_in_order(sensor, at, believed)
                if again is None:
                    may_complete = True
                else:
                    steps += again
        return steps + self._instants.complete(self.state) if may_complete else steps

    def _put_in_order(self, sensor: str, stamp: int,
                      values: Sequence[float]) -> list[Step] | None:
        """Add a reading that was let in; return None if it waits, or its Steps."""
        verdict = self._order.add(self.state.order, sensor, stamp, values)
        if verdict is None:
            return None
        if verdict is Verdict.KNOWN:
            return []
        if verdict is Verdict.FIRST_DENIED:
            self.state.intake.guards[sensor].forget()
            self._reject(f'{sensor}: its first stamp is far ahead of those around it')
            return self._put_in_order(sensor, stamp, values)
        if verdict is Verdict.CLOCK_JUMP:
            *counted, last = self.state.order.suspects
            self._report(f'{last.sensor}: stamps have jumped to {seconds(counted[0].stamp)}; the '
                         'filter starts anew')
            return self._start_with(counted, last)
        if verdict is Verdict.TOO_LATE:
            return self._instants.take_late(self.state, sensor, stamp, values)
        if verdict is Verdict.NOT_NEWER:
            return self._reject(f'{sensor}: stamp {seconds(stamp)} is not newer than the last one')
        return self._reject(f'{sensor}: stamp {seconds(stamp)} is implausibly far ahead')

    def add_input(self, stamp: int, values: ArrayLike) -> list[Step]:
        """Add inputs (u) of a stamp [ns]; return the Steps that they complete.

        Late ones act from the next step on, or, within the history, as if they had been in time.
        """
        return self._instants.add_input(self.state, stamp, values)

    def _start_with(self, counted: Sequence[Suspect], *last: Suspect) -> list[Step]:
        """Start anew with Suspects, all but the last of which have been counted."""
        counts = self.state.intake.counts
        for suspect in counted:
            if suspect.verdict is Verdict.TOO_LATE:
                counts.late -= 1
            else:
                counts.rejected -= 1
        suspects = [*counted, *last]
        begin, gap = self._start_time, self._order.longest_gap
        fits = begin is not None and all(0 <= s.stamp - begin <= gap for s in suspects[:1])
        self._start(begin if fits else None)
        steps: list[Step] = []
        for sensor, stamp, values in (suspect[1:] for suspect in suspects):
            steps += (self.add_input(stamp, values) if sensor is None
                      else self.add(sensor, stamp, values))
        return steps

    @property
    def silent(self) -> list[str]:
        """Names of what has not come for longer than the reorder window: sensors, known forces."""
        return self._instants.silent(self.state)

    def behind(self, stamp: int) -> list[str]:
        """Return names of what an instant of a stamp [ns] waits for: sensors, INPUTS."""
        return self._instants.behind(self.state, stamp)

    @property
    def _start_time(self) -> int | None:
        """The stamp [ns] at which the initial state holds, None: at the first reading."""
        start = self._settings.start_time
        return round(start * NANOSECONDS) if start > 0.0 else None

    def _start(self, start: int | None) -> None:
        """Put the filter at its initial state, to hold at a stamp [ns] or at the first reading."""
        state, settings = self.state, self._settings
        self._run.start(state.run, start)
        lines = {sensor.name: Interpolation.of(sensor, settings.dt)
                 for sensor in self._sensors} if settings.interpolate else None
        state.missing_before += state.order.missing
        state.order = self._order.new_state(start, lines)
        self._intake.begin_again(state.intake)
        for sensor in state.off:
            self._order.switch(state.order, sensor, False)
        state.inputs = self._new_inputs()
        self._instants.begin(state, state.order.released)

    def _reject(self, problem: str) -> list[Step]:
        """Count and report a reading, or inputs, that are left out; return no Steps."""
        self._intake.reject(self.state.intake, problem)
        return []

    def enable(self, sensor: str, on: bool) -> list[Step]:
        """Use the readings of a sensor from the next instant on, or ignore them.

        Returns the Steps that this completes.  Raises ValueError for an unknown sensor.
        """
        self._intake.require_known(sensor)
        state = self.state
        if on == (sensor not in state.off):
            return []
        self._intake.turn(state.intake, sensor, on, state.order.released)
        self._order.switch(state.order, sensor, on)
        state.run.trust.forget(sensor)
        return self._instants.complete(self.state)

    def reset(self) -> None:
        """Put the filter at its initial state, to hold at the next reading, whatever its stamp."""
        self._start(None)

    def begin_again(self) -> list[Step]:
        """Restart because the clock has gone back; return Steps of readings since then."""
        return self._start_with(self.state.order.suspects)

    def set_state(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None,
                  stamp: int | None = None) -> list[Step]:
        """Put the filter at z, zd (g) with a covariance of its states, default its settings'.

        stamp [ns]: at which the state holds; readings before it are no longer used, later ones
        within the history are used again; None: at the next instant.
        Returns the Steps to publish.  Raises ValueError and changes nothing for impossible states.
        """
        state, now = self.state, self.state.run.now
        if now is not None and self._run.is_timed:
            raise ValueError('the state cannot be set once the estimate moves: coordinates are '
                             'prescribed over time')
        is_past = False
        if stamp is not None and now is not None and stamp < now:
            is_past = state.history is not None and state.history.reaches(stamp)
            if not is_past:
                raise ValueError(f'stamp: {seconds(stamp)} is before the present estimate, of '
                                 f'{seconds(now)}, and before the history')
        if stamp is not None and self._order.is_far_ahead(state.order, stamp):
            raise ValueError(f'stamp: {seconds(stamp)} is implausibly far ahead')
        initial = *(_checked(*given, np.size(self._initial[0])) for given in (
            ('z', z), ('zd', zd))), covariance
        self._run.require_possible(initial)
        self._run.start(state.run, stamp, initial)
        if stamp is not None and is_past:
            return self._instants.from_here(state, stamp)
        if stamp is not None:
            self._order.leave_out_before(state.order, stamp)
        self._instants.begin(state, state.order.released)
        return []

    def retune(self, estimator: Filter, sensors: Sequence[Sensor], settings: StreamSettings,
               gates: Mapping[str, GateSettings]) -> None:
        """Continue with another filter, in the same state, and other settings, as for set-up.

        dt, start_time, history_length, interpolate stay as they are.  The history before the
        present is dropped.  Raises FilterError and changes nothing if that is impossible.
        """
        self._set_up(estimator, sensors, settings, gates)
        self._run.take_over(self.state.run)
        self._instants.begin(self.state, self.state.order.released)

    def resume(self, saved: object) -> None:
        """Continue from the state of a stream like this one, by its `to_go_on_from`.

        Readings that waited then, and later ones, must come again; used ones may.
        Raises TypeError for anything else.
        """
        if not isinstance(saved, StreamState):
            raise TypeError(f'{type(saved).__name__} is no state of a stream')
        state, kept = self.state, copied(saved)
        state.intake = IntakeState(kept.intake.counts, kept.intake.switches)
        since = dict(kept.intake.switches.last)
        self._start(None)
        state.intake.switches.last = since
        state.missing_before = kept.missing_before
        self._run.go_back(state.run, kept.run)
        self._order.resume(state.order, kept.order)
        state.inputs = kept.inputs
        self._instants.begin(state, state.order.released)

    def predicted(self, stamp: int) -> Estimate | None:
        """Return the Estimate of a stamp [ns] from the present state, which is kept.

        None before the first reading, for the past, longer than sensor_timeout after the last
        reading, twice longest_gap after the last instant, and if the filter cannot get there.
        """
        newest, longest = self.state.newest, self._settings.sensor_timeout
        if newest is None or stamp > newest + round(longest * NANOSECONDS):
            return None
        return self._run.predicted(self.state, stamp)


def _checked(name: str, values: ArrayLike, count: int) -> np.ndarray:
    """Return values as an array (count).  Raises ValueError."""
    values = np.array(values, dtype=np.float64)
    if values.shape != (count,):
        raise ValueError(f'{name}: {values.size} values, expected {count}')
    return require_sensible(name, values)
