"""A filter on its way from instant to instant, and what watches over it."""

from collections import Counter
from contextlib import suppress
from copy import deepcopy
from math import nan
from struct import Struct
import time
from typing import NamedTuple

import numpy as np

from mb_estimators.divergence import DivergenceWatch
from mb_estimators.filter import DivergenceError, Estimate, ImpossibleReadingError, Innovation
from mb_estimators.gating import ENOUGH_IN_A_ROW, GatedFilter
from mb_estimators.lost import LostWatch
from mb_estimators.stamps import seconds
from mb_estimators.steps import predict_between
from mb_estimators.stuck import StuckWatch
from mb_estimators.trust import Trust


class LateReading(NamedTuple):
    """A reading that came late: its sensor, its stamp [ns], how all readings of then fitted."""

    sensor: str
    stamp: int
    innovation: Innovation


def _say_nothing(problem):
    """Keep a problem to oneself."""


class Step(NamedTuple):
    """An estimate at a stamp [ns], how its readings fitted, and the time it took to make [s].

    distrust: why the estimate is not to be trusted, in words; empty if it is; lost: why it cannot
    be right, see LostWatch, which distrust says too.  late: None for the first estimate of an
    instant; for another one, after the filter went back and on, the readings that made it do so,
    with the first of several.
    """

    stamp: int
    estimate: Estimate
    innovation: Innovation
    step_time: float
    distrust: str = ''
    lost: str = ''
    late: tuple[LateReading, ...] | None = None


class FilterRun:
    """Takes a filter from its start to the instants of readings.

    used, rejected: what became of these; diverged: why it cannot go on, or empty; now: where it is
    [ns], None before the first instant if that is not given.
    """

    def __init__(self, estimator, sensors, settings, inputs, gates, tell):
        """Set up for a Filter with its Sensors; see EstimateStream; inputs: HeldInputs."""
        self._filter, self._settings, self._inputs = estimator, settings, inputs
        self._tell, self._sensors = tell, tuple(sensors)
        self._rates = {sensor.name: sensor.settings.rate for sensor in sensors}
        self._off = set()       # names of sensors that are switched off
        self.used = self.rejected = 0
        self.incredible = Counter()     # how often a sensor's readings were
        self.places = _places(sensors)
        self._gated = GatedFilter(estimator, sensors, self.places, gates, settings.restart)
        self._none = {sensor.name: (nan,) * len(sensor.channels) for sensor in sensors}
        count = sum(map(len, self._none.values()))
        self._readings = np.empty(count)
        self._write = Struct(f'{count}d').pack_into     # numpy takes three times as long
        self._rehearse()

    @property
    def is_timed(self):
        """Whether coordinates are prescribed over time: a reset puts them back to t = 0."""
        mechanism = getattr(self._filter, 'mechanism', None)
        return mechanism is not None and bool(mechanism.described.prescribed)

    @property
    def lost(self):
        """Why the last readings say that the estimate cannot be right, empty if they do not."""
        return self._lost.by_readings

    def _rehearse(self):
        """Run the filter once and forget it: nothing is left to compile when readings come."""
        with suppress(DivergenceError):
            self._filter.predict(self._settings.dt)
            self._filter.correct(np.full(len(self._readings), np.nan))

    def start(self, initial, stamp):
        """Put the filter at (z, zd), to hold at a stamp [ns] or, if None, at the first reading.

        A third item is the covariance of its states, None for that of its settings.  Raises what
        Filter.reset does, and ValueError, the filter being where it was if it can go back.
        """
        memory = self._filter.remember() if hasattr(self._filter, 'remember') else None
        try:
            self._filter.reset(*initial)
        except (ArithmeticError, ValueError) as error:
            if memory is not None:
                self._filter.recall(memory)
            raise ValueError(str(error)) from error
        self._good = initial[:2]
        self.now, self.diverged, self._impossible = stamp, '', 0
        self._gated.begin()
        self._watch, self._trust, self._stuck, self._lost = self._watches()

    def require_possible(self, initial):
        """Raise ValueError unless the filter can be started at (z, zd, covariance) and go on.

        It must know where it is then, and where after a step of the model, see LostWatch, and not
        move by more than the room of the mechanism in that step.
        """
        filter_ = deepcopy(self._filter)
        try:
            with np.errstate(all='ignore'):
                filter_.reset(*initial)
                before = self._require_sensible(filter_.estimate)
                filter_.predict(self._settings.dt)
                after = self._require_sensible(filter_.estimate)
        except ArithmeticError as error:
            raise ValueError(f'the filter cannot go on from there: {error}') from error
        self._lost.require_near(before.z, after.z)

    def _require_sensible(self, estimate):
        """Return an Estimate; raises ValueError if it is not finite, or lost."""
        if not all(np.isfinite(part).all() for part in estimate[:7]):
            raise ValueError('the estimate would not be finite')
        problem = self._lost.far_off(estimate)
        if problem:
            raise ValueError(f'the estimate would be lost: {problem}')
        return estimate

    def _watches(self):
        """Return what watches over the filter, as nothing has been seen yet."""
        settings = self._settings
        return (DivergenceWatch(settings.nis_bound, settings.nis_time),
                Trust(self._rates, settings.distrust_time, self._off),
                StuckWatch(self.places, settings.stuck_after),
                LostWatch(getattr(self._filter, 'mechanism', None), self._sensors))

    def retune(self, estimator, sensors, settings, gates):
        """Go on with another filter in the same state and other settings.  Raises FilterError."""
        gated = GatedFilter(estimator, sensors, self.places, gates, settings.restart)
        gated.recall(self._gated.remember())
        before = self._watch, self._trust, self._stuck, self._lost
        self._filter, self._gated, self._settings = estimator, gated, settings
        self._sensors = tuple(sensors)
        self._watch, self._trust, self._stuck, self._lost = after = self._watches()
        for old, new in zip(before, after, strict=True):
            new.recall(old.remember())

    def listen_to(self, sensor, on):
        """Do not miss the readings of a sensor, unless it is on."""
        (self._off.discard if on else self._off.add)(sensor)
        self._trust.forget(sensor)

    def predicted(self, stamp):
        """Return the Estimate of a stamp [ns], the filter going back to where it is; or None."""
        if self.now is None or self.diverged or stamp < self.now:
            return None
        if hasattr(self._filter, 'correct_late'):       # what it keeps open cannot be recalled
            return self._predicted_by(deepcopy(self._filter), stamp)
        memory = self._filter.remember()
        try:
            return self._predicted_by(self._filter, stamp)
        finally:
            self._filter.recall(memory)

    def _predicted_by(self, filter_, stamp):
        """Return the Estimate of a stamp [ns] by a filter that moves on, None if it cannot."""
        try:
            predict_between(filter_, self.now, stamp, self._settings.dt, self._inputs)
            return filter_.estimate
        except (ArithmeticError, ValueError):
            return None

    def remember(self):
        """Return all that the next instant depends on, for recall; of filters that can."""
        return (self._filter.remember(), self.now, self.diverged, self.used, self.rejected,
                self._impossible, self._good, self._watch.remember(), self._trust.remember(),
                self._stuck.remember(), self._lost.remember(), self._gated.remember(),
                self.incredible.copy())

    def recall(self, memory):
        """Go back to where `remember` was called."""
        (filter_, self.now, self.diverged, self.used, self.rejected, self._impossible, self._good,
         watch, trust, stuck, lost, gated, incredible) = memory
        self._filter.recall(filter_)
        self._watch.recall(watch)
        self._trust.recall(trust)
        self._stuck.recall(stuck)
        self._lost.recall(lost)
        self._gated.recall(gated)
        self.incredible = incredible.copy()

    def step(self, stamp, readings):
        """Bring the filter to a stamp [ns] and take in all readings of that instant, by sensor.

        Returns a Step, None if the readings were of no use.
        """
        begin = time.perf_counter()
        innovation = self._take(stamp, readings, self._tell)
        if innovation is None:
            return None
        step = self.told(stamp, innovation, begin)
        if step is not None and self._is_good:
            self._good = step.estimate.z, step.estimate.zd
        return step

    def told(self, stamp, innovation, begin, late=None):
        """Return the Step of where the filter is, None if it has no estimate there and diverges.

        begin: when it started to get there [s].
        """
        step_time = time.perf_counter() - begin
        estimate = self._estimated(stamp, self._tell)
        if estimate is None:
            return None
        lost = self._lost.problem(estimate)
        return Step(stamp, estimate, innovation, step_time,
                    self._trust.problem(stamp, self._watch.alarmed, lost), lost, late)

    def pass_by(self, stamp, readings, tell=_say_nothing):
        """Do as `step`, but return the Innovation alone, or None.

        tell: called with what is wrong with the readings, unless that has been told before.
        """
        innovation = self._take(stamp, readings, tell)
        if innovation is not None and self._is_good:
            estimate = self._estimated(stamp, tell)
            if estimate is None:
                return None
            self._good = estimate.z, estimate.zd
        return innovation

    def _estimated(self, stamp, tell):
        """Return the Estimate at a stamp [ns], None if there is none: then the filter diverges.

        The readings of then have been counted.
        """
        try:
            return self._filter.estimate
        except (ArithmeticError, ValueError) as error:
            self._on_divergence(stamp, (), error, tell)
            return None

    @property
    def _is_good(self):
        """Whether to go on from here, if the filter diverges after this."""
        return (self._settings.restart and not self._watch.alarmed
                and not self._lost.by_readings)

    def _take(self, stamp, readings, tell):
        """Predict and correct; return the Innovation, or None."""
        if self.diverged:
            self.rejected += len(readings)
            return None
        readings = self._note(stamp, readings)
        try:
            self._predict_to(stamp)
            innovation, notes = self._gated.correct(stamp, self._readings)
            self._lost.saw(stamp, innovation)
            self._watch.check(stamp, innovation)
        except ImpossibleReadingError as error:
            self._on_impossible(stamp, readings, error, tell)
            return None
        except (ArithmeticError, ValueError) as error:      # filters of others raise what they like
            self._on_divergence(stamp, readings, error, tell)
            return None
        if self._is_lost(innovation):
            self._on_divergence(stamp, readings, 'no reading has been credible for a while', tell)
            return None
        self._judge(stamp, readings, innovation, notes, tell)
        return innovation

    def _is_lost(self, innovation):
        """Tell whether a filter that may restart has left everything out for a while."""
        nothing = len(innovation.rejected) and not len(innovation.channels)
        self._impossible = self._impossible + 1 if nothing else 0
        return self._settings.restart and self._impossible >= ENOUGH_IN_A_ROW

    def _note(self, stamp, readings):
        """Write the readings of an instant for the filter; return them without those that stick."""
        self._trust.saw(stamp, readings)
        if self._stuck.watches:
            readings = self._moving(stamp, readings)
        channels = []
        for name, none in self._none.items():
            channels.extend(readings.get(name, none))
        self._write(self._readings, 0, *channels)
        return readings

    def _moving(self, stamp, readings):
        """Return the readings of an instant without those that stick, which count as rejected."""
        moving = {}
        for name, values in readings.items():
            if self._stuck.sticks(name, values):
                self.rejected += 1
                self._trust.missed(stamp, name, 'sticks')
            else:
                moving[name] = values
        return moving

    def _judge(self, stamp, readings, innovation, notes, tell):
        """Note and tell which readings were left out or not as they should, and who sticks."""
        if not (len(innovation.rejected) or notes or self._stuck.watches):
            self.used += len(readings)
            return
        rejected = ()
        if len(innovation.rejected):
            rejected = [name for name in readings if self._was_rejected(name, innovation)]
            tell(f'{", ".join(rejected)}: incredible reading at {seconds(stamp)}')
        for name, what in notes.items():
            tell(f'{name}: incredible reading at {seconds(stamp)} was {what}')
        for name in (*rejected, *notes):
            self._trust.missed(stamp, name, 'has sent incredible readings')
            self.incredible[name] += 1
        if self._stuck.watches:
            for name in self._stuck.check(innovation):
                tell(f'{name}: sticks at {seconds(stamp)}')
                self._trust.missed(stamp, name, 'sticks')
        self.rejected += len(rejected)
        self.used += len(readings) - len(rejected)

    def _was_rejected(self, sensor, innovation):
        """Tell whether the filter left a reading of a sensor out."""
        place = self.places[sensor]
        return any(place.start <= channel < place.stop for channel in innovation.rejected)

    def _predict_to(self, stamp):
        """Predict up to a stamp [ns]."""
        if self.now is None:
            self.now = stamp
        predict_between(self._filter, self.now, stamp, self._settings.dt, self._inputs)
        self.now = stamp

    def _on_impossible(self, stamp, readings, error, tell):
        """Leave the readings out; if that goes on, it is the estimate that they do not fit."""
        self._impossible += 1
        self._lost.saw(stamp, self._nothing_but(readings))
        if self._settings.restart and self._impossible >= ENOUGH_IN_A_ROW:
            self._on_divergence(stamp, readings, error, tell)
            return
        self.rejected += len(readings)
        tell(f'readings of {seconds(stamp)} are impossible: {error}')

    def _nothing_but(self, rejected):
        """Return the Innovation of readings by sensor that were all left out."""
        channels = [np.arange(place.start, place.stop) for name, place in self.places.items()
                    if name in rejected]
        nothing = np.empty(0)
        return Innovation(nothing.astype(int), nothing, np.empty((0, 0)), 0.0,
                          np.concatenate(channels) if channels else nothing.astype(int))

    def _on_divergence(self, stamp, readings, error, tell):
        """Leave the readings out; go on from the last good estimate, or stop, as configured.

        With prescribed coordinates it stops: the last good estimate is of another time.
        """
        self.rejected += len(readings)
        tell(f'filter has diverged at {seconds(stamp)}: {error}')
        if self._settings.restart and not self.is_timed:
            self._filter.reset(*self._good)
            self._impossible = 0
            self._gated.begin()
            self._watch.forget()
            self._lost.forget()
            self.now = stamp
        else:
            self.diverged = str(error)


def _places(sensors):
    """Return each sensor's slice of the readings of all channels."""
    places, begin = {}, 0
    for sensor in sensors:
        places[sensor.name] = slice(begin, begin + len(sensor.channels))
        begin += len(sensor.channels)
    return places
