"""A filter that steps from instant to instant."""

from collections import deque
from contextlib import suppress
from copy import deepcopy
from math import nan
from struct import Struct
import time

import numpy as np

from mb_estimators.filter import (
    Acting,
    DivergenceError,
    ImpossibleReadingError,
    OfMechanism,
    Retroactive,
    Rewindable,
    put_back,
    rebuild,
)
from mb_estimators.state import copied, restore
from mb_estimators.stream.opening import Opener, Opening, require_possible
from mb_estimators.stream.step import Step
from mb_estimators.stream.stream_state import RunState
from mb_estimators.timeline import predict_between, seconds
from mb_estimators.watches.gating import ENOUGH_IN_A_ROW
from mb_estimators.watches.watches import Watches
from mb_sensors import NANOSECONDS


def _report_nothing(problem):
    """Leave a problem unreported."""


_MOST_IMPOSSIBLE = 1000     # instants that wait to be judged


class FilterRun:
    """Takes a filter from its start to the instants of readings.

    It owns only the filter: the state is a StreamState, `state`, or the RunState in it, `run`.
    impossible: (stamp [ns], Innovation) of instants whose readings were all left out, which have no
    Step; they wait to be taken and judged.
    """

    def __init__(self, estimator, sensors, settings, gates, report):
        """Set up for a Filter with its Sensors; see EstimateStream.  Raises FilterError."""
        self._filter, self._settings, self._report = estimator, settings, report
        self._watches = Watches(estimator, sensors, settings, gates)
        self._can_go_back = isinstance(estimator, Rewindable)
        self.keeps_open = isinstance(estimator, Retroactive)
        self._opener = Opener(self._watches, self.go_back, self._take_in) if (
            self._can_go_back and not self.is_timed) else None
        self._none = {sensor.name: (nan,) * len(sensor.channels) for sensor in sensors}
        count = sum(map(len, self._none.values()))
        self._row = np.empty(count)     # readings of all channels, written anew at each instant
        self.impossible = deque(maxlen=_MOST_IMPOSSIBLE)
        self._write = Struct(f'{count}d').pack_into     # numpy takes three times as long

    @property
    def places(self):
        """Each sensor's slice of the readings of all channels."""
        return self._watches.places

    @property
    def is_timed(self):
        """Whether coordinates are prescribed over time: a reset puts them back to t = 0."""
        return (isinstance(self._filter, OfMechanism)
                and bool(self._filter.mechanism.described.prescribed))

    def rehearse(self, reads_forces):
        """Run the filter once and forget it, so that all is compiled when readings come."""
        with suppress(DivergenceError):
            self._filter.predict(self._settings.dt)
            if reads_forces and isinstance(self._filter, Acting):
                self._filter.act(None)
            self._filter.correct(np.full(len(self._row), np.nan))

    def new_state(self, initial):
        """Return the RunState of a filter that is to be started at (z, zd)."""
        return RunState(self._filter_state, initial, self._watches.lost.new_state())

    @property
    def _filter_state(self):
        return self._filter.state if self._can_go_back else None

    def start(self, run, initial, stamp):
        """Put the filter at (z, zd), to hold at a stamp [ns] or, if None, at the first reading.

        A third item is the covariance of its states, None for its settings'.  Raises what
        Filter.reset does, and ValueError; a filter that can go back keeps its state then.
        """
        before = copied(self._filter_state)
        try:
            self._filter.reset(*initial)
        except (ArithmeticError, ValueError) as error:
            if before is not None:
                put_back(self._filter, before)
            raise ValueError(str(error)) from error
        run.good, run.now, run.diverged = tuple(initial[:2]), stamp, ''
        run.opening = Opening() if self._opener else None
        self._watches.begin(run)

    def require_possible(self, initial):
        """Raise ValueError unless the filter can start at (z, zd, covariance) and continue."""
        require_possible(deepcopy(self._filter), initial, self._settings.dt, self._watches.lost)

    def take_over(self, run):
        """Continue from another FilterRun, whose filter's state this filter has."""
        run.filter = self._filter_state
        self._watches.take_over(run)

    def go_back(self, run, saved):
        """Restore a RunState, and the filter with it, from a copy."""
        restore(run, saved)
        rebuild(self._filter)

    def predicted(self, state, stamp):
        """Return the Estimate of a stamp [ns], or None; the filter keeps its state."""
        run = state.run
        if run.now is None or run.diverged or stamp < run.now:
            return None
        if self.keeps_open or not self._can_go_back:    # what it keeps open cannot be put back
            return self._predicted_by(deepcopy(self._filter), state, stamp)
        before = copied(run.filter)
        try:
            return self._predicted_by(self._filter, state, stamp)
        finally:
            put_back(self._filter, before)

    def _predicted_by(self, filter_, state, stamp):
        """Return the Estimate of a stamp [ns] by a filter that moves on, None if it cannot."""
        try:
            predict_between(filter_, state.run.now, stamp, self._settings.dt, state.inputs)
            return filter_.estimate
        except (ArithmeticError, ValueError):
            return None

    def step(self, state, stamp, readings):
        """Step the filter to a stamp [ns] and correct it by all readings of then, by sensor.

        Returns a Step, None if the readings were of no use.
        """
        begin = time.perf_counter()
        innovation = self._take(state, stamp, readings, self._report)
        if innovation is None:
            return None
        step = self.step_here(state, stamp, innovation, begin)
        if step is not None and self._is_good(state.run):
            state.run.good = step.estimate.z, step.estimate.zd
        return step

    def step_here(self, state, stamp, innovation, begin, late=None):
        """Return the Step of where the filter is, None if it has no estimate there and diverges.

        begin: when it started to get there [s].
        """
        step_time = time.perf_counter() - begin
        estimate = self._estimated(state.run, stamp, self._report)
        if estimate is None:
            return None
        lost = self._watches.lost.problem(state.run.lost, estimate)
        distrust = self._watches.distrust(state.run, stamp, state.intake.switches, lost)
        return Step(stamp, estimate, innovation, step_time, distrust, lost, late)

    def pass_by(self, state, stamp, readings, report=_report_nothing):
        """Do as `step`, but return the Innovation alone, or None.

        report: called with problems of the readings that are not reported yet.
        """
        innovation = self._take(state, stamp, readings, report)
        if innovation is not None and self._is_good(state.run):
            estimate = self._estimated(state.run, stamp, report)
            if estimate is None:
                return None
            state.run.good = estimate.z, estimate.zd
        return innovation

    def _estimated(self, run, stamp, report):
        """Return the Estimate at a stamp [ns], None if there is none: then the filter diverges.

        The readings of then have been counted.
        """
        try:
            return self._filter.estimate
        except (ArithmeticError, ValueError) as error:
            self._on_divergence(run, stamp, (), error, report)
            return None

    def _is_good(self, run):
        """Return whether to go on from here, if the filter diverges after this."""
        return (self._settings.restart and not run.divergence.alarmed
                and not run.lost.by_readings)

    def _take(self, state, stamp, readings, report):
        """Predict and correct; return the Innovation, or None."""
        if state.run.opening is None or self._opener is None or not readings:
            return self._take_in(state, stamp, readings, report)
        return self._opener.take(state, stamp, readings, report)

    def _take_in(self, state, stamp, readings, report):
        run, watches = state.run, self._watches
        if run.diverged:
            run.rejected += len(readings)
            return None
        came, readings = readings, watches.moving(run, stamp, readings, report)
        try:
            self._predict_to(state, stamp)
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
        if self._is_lost(run, innovation):
            self._on_divergence(
                run, stamp, readings, 'no reading has been credible for a while', report)
            return None
        watches.judge(run, stamp, readings, innovation, notes, report)
        watches.doubt(run, stamp, report)
        return watches.with_unused(innovation, came.keys() - readings.keys())

    def _on_its_turn(self, run, readings, report):
        """Start the filter in the turn of encoders; return the sensors that contradict it."""
        left_out, targets = self._watches.turns.check(
            run.turns, readings, lambda: self._filter.estimate.q, report)
        if targets and not self.is_timed:
            estimate = self._filter.estimate
            try:
                z = self._watches.turns.followed(estimate.q, targets)
                self.require_possible((z, estimate.zd, None))
            except ValueError as error:
                report(f'the filter does not start there: {error}')
            else:
                self._filter.reset(z, estimate.zd)
                run.good = z, estimate.zd
        return left_out

    def _written(self, readings, left_out):
        """Return readings by sensor as an array of all channels, NaN where none is to be used."""
        channels = []
        for name, none in self._none.items():
            channels.extend(none if name in left_out else readings.get(name, none))
        self._write(self._row, 0, *channels)
        return self._row

    def correct_late(self, run, sensor, stamp, values):
        """Correct a filter that keeps instants open by a late reading; return whether it could."""
        readings = np.full(len(self._row), nan)
        readings[self.places[sensor]] = values
        used = self._filter.correct_late((run.now - stamp) / NANOSECONDS, readings)
        self._watches.doubt(run, run.now, self._report)
        return used

    def _is_lost(self, run, innovation):
        """Return whether a filter that may restart has left out all readings for a while."""
        nothing = len(innovation.rejected) and not len(innovation.channels)
        run.unused = run.unused + 1 if nothing else 0
        return self._settings.restart and run.unused >= ENOUGH_IN_A_ROW

    def _predict_to(self, state, stamp):
        """Predict up to a stamp [ns]."""
        run = state.run
        if run.now is None:
            run.now = stamp
        predict_between(self._filter, run.now, stamp, self._settings.dt, state.inputs)
        run.now = stamp

    def _on_impossible(self, run, stamp, readings, error, report):
        """Leave the readings out; if that goes on, it is the estimate that they do not fit."""
        run.unused += 1
        self.impossible.append((stamp, self._watches.left_out(run, stamp, readings)))
        if self._settings.restart and run.unused >= ENOUGH_IN_A_ROW:
            self._on_divergence(run, stamp, readings, error, report)
            return
        self._watches.leave_out(run, readings)
        report(f'readings of {seconds(stamp)} are impossible: {error}')

    def _on_divergence(self, run, stamp, readings, error, report):
        """Leave the readings out; go on from the last good estimate, or stop, as configured.

        With prescribed coordinates it stops: the last good estimate is of another time.
        """
        self._watches.leave_out(run, readings)
        report(f'filter has diverged at {seconds(stamp)}: {error}')
        if self._settings.restart and not self.is_timed:
            self._filter.reset(*run.good)
            self._watches.forget_innovations(run)
            run.now = stamp
        else:
            run.diverged = str(error)
