"""A filter that steps from instant to instant."""

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from math import nan
from struct import Struct
import time
from typing import Any

import numpy as np

from mb_estimators.filter import (
    Acting,
    DivergenceError,
    Estimate,
    Filter,
    ImpossibleReadingError,
    Innovation,
    OfMechanism,
    Retroactive,
    Rewindable,
    put_back,
    rebuild,
)
from mb_estimators.state import copied, restore
from mb_estimators.stream.opening import Opener, require_possible
from mb_estimators.stream.run_watches import Readings, Report, RunWatches
from mb_estimators.stream.step import LateReading, Step
from mb_estimators.stream.stream_settings import StreamSettings
from mb_estimators.stream.stream_state import Opening, RunState, StreamState
from mb_estimators.timeline import predict_between, seconds
from mb_estimators.watches.gating import GateSettings
from mb_model.arrays import FloatArray
from mb_sensors import NANOSECONDS, Sensor

Start = tuple[Any, ...]     # z, zd (g), and a covariance of the states or None
_MOST_IMPOSSIBLE = 1000     # instants that wait to be judged


class FilterRun:
    """Takes a filter from its start to the instants of readings.

    It owns only the filter: the state is a StreamState, `state`, or the RunState in it, `run`.
    filter; keeps_open: whether it keeps past instants open itself; channels: of its sensors;
    impossible: (stamp [ns], Innovation) of instants whose readings were all left out, which have no
    Step; they wait to be taken and judged.
    """

    def __init__(self, estimator: Filter, sensors: Sequence[Sensor], initial: Start,
                 settings: StreamSettings, gates: Mapping[str, GateSettings],
                 report: Report) -> None:
        """Set up for a Filter with its Sensors; see EstimateStream.  Raises FilterError."""
        self.filter, self._initial = estimator, initial
        self._settings, self._report = settings, report
        self._longest = 2 * round(settings.longest_gap * NANOSECONDS)
        self._watches = RunWatches(estimator, sensors, settings, gates)
        self.channels = self._watches.channels
        self._can_go_back = isinstance(estimator, Rewindable)
        self.keeps_open = isinstance(estimator, Retroactive)
        self._opener = Opener(self._watches, self.go_back, self._take_in)
        self._none = {sensor.name: (nan,) * len(sensor.channels) for sensor in sensors}
        # readings of all channels, written anew at each instant; numpy takes three times as long
        self._row = np.empty(self.channels.count)
        self._write = Struct(f'{self.channels.count}d').pack_into
        self.impossible: deque[tuple[int, Innovation]] = deque(maxlen=_MOST_IMPOSSIBLE)

    @property
    def is_timed(self) -> bool:
        """Whether coordinates are prescribed over time: a reset puts them back to t = 0."""
        return (isinstance(self.filter, OfMechanism)
                and bool(self.filter.mechanism.described.prescribed))

    def rehearse(self, reads_forces: bool) -> None:
        """Run the filter once and forget it, so that all is compiled when readings come."""
        with suppress(DivergenceError):
            self.filter.predict(self._settings.dt)
            if reads_forces and isinstance(self.filter, Acting):
                self.filter.act(None)
            self.filter.correct(np.full(len(self._row), np.nan))

    def new_state(self) -> RunState:
        """Return the RunState of a filter that is to be started."""
        return RunState(self._filter_state, self._initial[:2], self._watches.lost.new_state())

    @property
    def _filter_state(self) -> Any:
        return self.filter.state if isinstance(self.filter, Rewindable) else None

    def start(self, run: RunState, stamp: int | None, initial: Start | None = None) -> None:
        """Put the filter at its start, to hold at a stamp [ns] or, if None, at the first reading.

        initial: another start.  Raises what Filter.reset does, and ValueError; a filter that can go
        back keeps its state then.
        """
        initial = initial or self._initial
        before = copied(self._filter_state)
        try:
            self.filter.reset(*initial)
        except (ArithmeticError, ValueError) as error:
            if before is not None:
                put_back(self.filter, before)
            raise ValueError(str(error)) from error
        run.good, run.now, run.diverged = initial[:2], stamp, ''
        run.opening = Opening() if self._can_go_back and not self.is_timed else None
        self._watches.begin(run)

    def is_cut_off(self, run: RunState, stamp: int) -> bool:
        """Return whether a stamp [ns] is farther ahead of the filter than it is ever to predict.

        Waiting readings are less than longest_gap ahead of earlier ones, and these of the filter.
        """
        return run.now is not None and stamp - run.now > self._longest

    def require_possible(self, initial: Start) -> None:
        """Raise ValueError unless the filter can start at (z, zd, covariance) and continue."""
        require_possible(deepcopy(self.filter), initial, self._settings.dt, self._watches.lost)

    def take_over(self, run: RunState) -> None:
        """Continue from another FilterRun, whose filter's state this filter has."""
        run.filter = self._filter_state
        self._watches.take_over(run)

    def go_back(self, run: RunState, saved: RunState) -> None:
        """Restore a RunState, and the filter with it, from a copy."""
        restore(run, saved)
        rebuild(self.filter)

    def predicted(self, state: StreamState, stamp: int) -> Estimate | None:
        """Return the Estimate of a stamp [ns], or None; the filter keeps its state."""
        run = state.run
        if (run.now is None or run.diverged or stamp < run.now
                or self.is_cut_off(run, stamp)):
            return None
        # what a filter keeps open cannot be put back
        is_copy = self.keeps_open or not self._can_go_back
        filter_, before = (deepcopy(self.filter), None) if is_copy else (
            self.filter, copied(run.filter))
        try:
            predict_between(filter_, run.now, stamp, self._settings.dt, state.inputs)
            return filter_.estimate
        except (ArithmeticError, ValueError):
            return None
        finally:
            if not is_copy:
                put_back(self.filter, before)

    def step(self, state: StreamState, stamp: int, readings: Readings) -> Step | None:
        """Step the filter to a stamp [ns] and correct it by all readings of then, by sensor.

        Returns a Step, None if the readings were of no use.
        """
        begin = time.perf_counter()
        innovation = self._taken(state, stamp, readings, self._report)
        return None if innovation is None else self.step_here(state, stamp, innovation, begin)

    def step_here(self, state: StreamState, stamp: int, innovation: Innovation, begin: float,
                  late: tuple[LateReading, ...] | None = None) -> Step | None:
        """Return the Step of where the filter is, None if it has no estimate there and diverges.

        begin: when it started to get there [s].
        """
        step_time = time.perf_counter() - begin
        estimate = self._estimated(state.run, stamp, self._report)
        if estimate is None:
            return None
        lost = self._watches.lost.problem(state.run.lost, estimate)
        distrust = self._watches.distrust(state.run, stamp, state.off, lost)
        return Step(stamp, estimate, innovation, step_time, distrust, lost, late)

    def pass_by(self, state: StreamState, stamp: int, readings: Readings,
                report: Report = lambda problem: None) -> Innovation | None:
        """Do as `step`, but return the Innovation alone, or None.

        report: called with problems of the readings that are not reported yet.
        """
        innovation = self._taken(state, stamp, readings, report)
        if innovation is not None and self._is_good(state.run) and self._estimated(
                state.run, stamp, report) is None:
            return None
        return innovation

    def _taken(self, state: StreamState, stamp: int, readings: Readings,
               report: Report) -> Innovation | None:
        """Predict and correct; return the Innovation, or None; see StreamSettings.first_reading."""
        if not self._settings.first_reading and state.run.now in (None, stamp):
            readings = {}
        return self._opener.take(state, stamp, readings, report)

    def _estimated(self, run: RunState, stamp: int, report: Report) -> Estimate | None:
        """Return the Estimate at a stamp [ns], None if there is none: then the filter diverges.

        The readings of then have been counted.
        """
        try:
            estimate = self.filter.estimate
        except (ArithmeticError, ValueError) as error:
            self._on_divergence(run, stamp, (), error, report)
            return None
        if self._is_good(run):
            run.good = estimate.z, estimate.zd
        return estimate

    def _is_good(self, run: RunState) -> bool:
        """Return whether to go on from here, if the filter diverges after this."""
        return (self._settings.restart and not run.divergence.alarmed
                and not run.lost.by_readings)

    def _take_in(self, state: StreamState, stamp: int, readings: Readings,
                 report: Report) -> Innovation | None:
        """Predict and correct; return the Innovation, or None."""
        run, watches = state.run, self._watches
        if run.diverged:
            run.rejected += len(readings)
            return None
        came, readings = readings, watches.moving(run, stamp, readings, report)
        try:
            if run.now is None:
                run.now = stamp
            predict_between(self.filter, run.now, stamp, self._settings.dt, state.inputs)
            run.now = stamp
            left_out = self._on_its_turn(run, readings, report)
            innovation, notes = watches.gated.correct(
                run.gates, stamp, self._written(readings, left_out))
            innovation = watches.with_unused(innovation, left_out)
            watches.check(run, stamp, innovation, came, readings)
        except ImpossibleReadingError as error:
            self._on_impossible(run, stamp, readings, error, report)
            return None
        except (ArithmeticError, ValueError) as error:      # of any filter
            self._on_divergence(run, stamp, readings, error, report)
            return None
        if watches.gives_up(run, bool(len(innovation.rejected)) and not len(innovation.channels)):
            self._on_divergence(
                run, stamp, readings, 'no reading has been credible for a while', report)
            return None
        watches.judge(run, stamp, readings, innovation, notes, report)
        watches.doubt(run, stamp, report)
        return watches.with_unused(innovation, came.keys() - readings.keys())

    def _on_its_turn(self, run: RunState, readings: Readings, report: Report) -> set[str]:
        """Start the filter in the turn of encoders; return the sensors that contradict it."""
        left_out, targets = self._watches.turns.check(
            run.turns, readings, lambda: self.filter.estimate.q, report)
        if targets and not self.is_timed:
            estimate = self.filter.estimate
            try:
                z = self._watches.turns.followed(estimate.q, targets)
                self.require_possible((z, estimate.zd, None))
            except ValueError as error:
                report(f'the filter does not start there: {error}')
            else:
                self.filter.reset(z, estimate.zd)
                run.good = z, estimate.zd
        return left_out

    def _written(self, readings: Readings, left_out: Collection[str]) -> FloatArray:
        """Return readings by sensor as an array of all channels, NaN where none is to be used."""
        channels: list[float] = []
        for name, none in self._none.items():
            channels.extend(none if name in left_out else readings.get(name, none))
        self._write(self._row, 0, *channels)
        return self._row

    def correct_late(self, run: RunState, sensor: str, stamp: int,
                     values: Sequence[float]) -> bool:
        """Correct a filter that keeps instants open by a late reading; return whether it could."""
        if not isinstance(self.filter, Retroactive):
            return False
        readings = np.full(len(self._row), nan)
        readings[self.channels.slices[sensor]] = values
        used = self.filter.correct_late((run.now - stamp) / NANOSECONDS, readings)
        self._watches.doubt(run, run.now, self._report)
        return used

    def _on_impossible(self, run: RunState, stamp: int, readings: Readings, error: Exception,
                       report: Report) -> None:
        """Leave the readings out; if that goes on, it is the estimate that they do not fit."""
        self.impossible.append((stamp, self._watches.left_out(run, stamp, readings)))
        if self._watches.gives_up(run, True):
            self._on_divergence(run, stamp, readings, error, report)
            return
        self._watches.leave_out(run, readings)
        report(f'readings of {seconds(stamp)} are impossible: {error}')

    def _on_divergence(self, run: RunState, stamp: int, readings: Collection[str],
                       error: Exception | str, report: Report) -> None:
        """Leave the readings out; go on from the last good estimate, or stop, as configured.

        With prescribed coordinates it stops: the last good estimate is of another time.
        """
        self._watches.leave_out(run, readings)
        report(f'filter has diverged at {seconds(stamp)}: {error}')
        if self._settings.restart and not self.is_timed:
            self.filter.reset(*run.good)
            self._watches.forget_innovations(run)
            run.now = stamp
        else:
            run.diverged = str(error)
