"""From stamped readings, in whatever order they come, to estimates."""

from dataclasses import dataclass, replace
import math
import time

import numpy as np

from mb_estimators.filter import FilterError
from mb_estimators.filter_run import FilterRun, LateReading, seconds
from mb_estimators.history import History
from mb_estimators.inputs import HeldInputs
from mb_estimators.interpolation import Interpolation
from mb_estimators.reading_order import ReadingOrder, Verdict
from mb_sensors.sampling import NANOSECONDS


@dataclass
class Counts:
    """What became of the readings since the start."""

    used: int = 0
    rejected: int = 0
    late: int = 0


class EstimateStream:
    """Feeds a filter with the readings of its sensors.

    The estimates are a function of the stamped readings alone: not of the time or, within the
    reorder window, the order in which they come.  Readings of instants that are over, but within
    the history, correct these, and all since: the estimates after them are those of readings that
    came in order.  Impossible ones are counted, told, left out.
    """

    def __init__(self, estimator, sensors, initial, settings, tell=lambda problem: None,
                 gates=()):
        """Set up.

        estimator: a Filter; sensors: its Sensor objects; initial: (z, zd) at the start; settings:
        StreamSettings; tell: called with a sentence for everything that is wrong with the readings;
        gates: GateSettings of sensors by name.
        Raises FilterError.
        """
        self._filter = estimator
        self._initial = initial
        self._settings = settings
        self._tell = tell
        self._sensors = tuple(sensors)
        self._keeps_open = hasattr(estimator, 'correct_late')       # the last moments, itself
        self._goes_back = settings.history_length > 0.0 and not self._keeps_open
        if self._goes_back:
            _require_memory(estimator, settings)
        self._inputs = HeldInputs()
        self._run = FilterRun(estimator, sensors, settings, self._inputs, dict(gates), tell)
        self._places = self._run.places
        self._counts = Counts()         # beside those of the run
        self._missing_before = 0
        self._start(round(settings.start_time * NANOSECONDS) if settings.start_time > 0.0 else None)

    @property
    def counts(self):
        """What became of the readings, a Counts."""
        return Counts(self._counts.used + self._run.used,
                      self._counts.rejected + self._run.rejected, self._counts.late)

    @property
    def diverged(self):
        """Why the filter cannot go on, empty if it can."""
        return self._run.diverged

    @property
    def missing(self):
        """How many readings of periodic sensors are missing, by the gaps between stamps."""
        return self._missing_before + self._order.missing

    @property
    def silent(self):
        """Names of the sensors of which nothing has come for longer than the reorder window."""
        return self._order.silent()

    def add(self, sensor, stamp, values):
        """Take in the reading of a sensor at a stamp [ns]; return the Steps that it completes."""
        problem = self._problem(sensor, values)
        if problem:
            return self._reject(problem)
        verdict = self._order.add(sensor, stamp, values)
        if verdict is Verdict.CLOCK_JUMP:
            self._tell(f'{sensor}: stamps have jumped to {seconds(stamp)}; the filter starts anew')
            self._missing_before += self._order.missing
            self._counts = self.counts
            self._start(stamp)
            verdict = self._order.add(sensor, stamp, values)
        if verdict is Verdict.TOO_LATE:
            return self._take_late(sensor, stamp, values)
        if verdict is Verdict.NOT_NEWER:
            return self._reject(f'{sensor}: stamp {seconds(stamp)} is not newer than the last one')
        if verdict is Verdict.TOO_FAR:
            return self._reject(f'{sensor}: stamp {seconds(stamp)} is implausibly far ahead')
        return self._complete()

    def add_input(self, stamp, values):
        """Take in inputs (u), to hold from a stamp [ns] on; return the Steps that it completes.

        Whoever is late holds from the next step on, or, within the history, as if he had not been.
        """
        if self._order.is_far_ahead(stamp):
            return self._reject(f'inputs: stamp {seconds(stamp)} is implausibly far ahead')
        late = self._run.now is not None and stamp < self._run.now
        self._inputs.add(stamp, values)
        if late and self._history and self._history.reaches(stamp):
            self._news.setdefault(stamp + 1, [])        # it acts from its stamp on
            return self._again() + self._complete()
        if late:
            self._counts.late += 1
            self._tell(f'inputs of {seconds(stamp)} came too late')
        return self._complete()

    def _complete(self):
        """Return the Steps of all instants that are complete."""
        until = None
        if self._settings.input_rate > 0.0:
            until = -1 if self._inputs.newest is None else self._inputs.newest
        steps = []
        for stamp, readings in self._order.complete(until):
            if self._news:
                steps += self._again()
            step = self._run.step(stamp, readings)
            if self._history:
                self._history.append(stamp, readings, self._run.remember())
            self._inputs.forget_before(self._history.oldest if self._history else stamp)
            if step is not None:
                steps.append(step)
        return steps

    def _take_late(self, sensor, stamp, values):
        """Use a reading of an instant that is over, as history or filter can, or count it."""
        if self._history and self._history.reaches(stamp):
            if self._history.has(sensor, stamp):
                return self._reject(f'{sensor}: a second reading of {seconds(stamp)}')
            self._history.add_late(sensor, stamp, values)
            self._order.found(sensor, stamp)
            self._news.setdefault(stamp, []).append(sensor)
            return [] if self._order.expects_late(stamp) else self._again()
        if self._keeps_open:
            readings = np.full(self._channels, np.nan)
            readings[self._places[sensor]] = values
            try:
                if self._filter.correct_late((self._run.now - stamp) / NANOSECONDS, readings):
                    self._counts.used += 1
                    return []
            except (ArithmeticError, ValueError) as error:
                return self._reject(
                    f'{sensor}: late reading of {seconds(stamp)} is impossible: {error}')
        self._counts.late += 1
        self._tell(f'{sensor}: reading of {seconds(stamp)} came too late')
        return []

    def _again(self):
        """Go back to before the oldest news and through all since; return the Steps to put out."""
        begin, news, wanted = time.perf_counter(), self._news, self._settings.late_estimates
        memory, instants = self._history.since(min(news))
        self._news, steps, late = {}, [], []
        self._run.recall(memory)
        for instant in instants:
            stamp, sensors = instant.stamp, news.get(instant.stamp)
            told = (self._tell,) if sensors else ()
            innovation = self._run.pass_by(stamp, instant.readings, *told)
            instant.memory = self._run.remember()
            if innovation is None:
                continue
            late += [LateReading(sensor, stamp, innovation) for sensor in sensors or ()]
            if (sensors and wanted != 'newest') or (
                    instant is instants[-1] and (wanted != 'corrected' or not any(news.values()))):
                steps.append(self._run.told(stamp, innovation, begin, ()))
        if steps:
            steps[0] = replace(steps[0], late=tuple(late))
        return steps

    def _start(self, start):
        """Put the filter at its initial state, to hold at a stamp [ns] or at the first reading."""
        settings = self._settings
        self._run.start(self._initial, start)
        lines = {s.name: Interpolation(s, settings.dt) for s in self._sensors}
        self._order = ReadingOrder(
            {s.name: s.settings.rate for s in self._sensors}, start, settings.reorder_window,
            settings.longest_gap, lines if settings.interpolate else None, self._goes_back)
        self._inputs.clear()
        self._history, self._news = None, {}      # news: stamp -> sensors with a late reading
        if self._goes_back:
            self._history = History(settings.history_length, -1 if start is None else start - 1,
                                    self._run.remember())

    @property
    def _channels(self):
        return sum(len(sensor.channels) for sensor in self._sensors)

    def _problem(self, sensor, values):
        """Return what is wrong with a reading in itself, or an empty text."""
        if self.diverged:
            return f'filter has diverged: {self.diverged}'
        if sensor not in self._places:
            return f'{sensor}: unknown sensor, expected one of {", ".join(self._places)}'
        expected = self._places[sensor].stop - self._places[sensor].start
        if len(values) != expected:
            return f'{sensor}: {len(values)} values in a reading, expected {expected}'
        if not all(math.isfinite(value) for value in values):
            return f'{sensor}: reading is not finite'
        return ''

    def _reject(self, problem):
        """Count and tell a reading that is left out."""
        self._counts.rejected += 1
        self._tell(problem)
        return []


def _require_memory(estimator, settings):
    """Raise FilterError unless a filter can go back as StreamSettings ask for."""
    if settings.interpolate:
        raise FilterError('history_length: must be 0 with interpolate, whose lines need all '
                          'readings in order')
    if not hasattr(estimator, 'remember'):
        raise FilterError(f'history_length: must be 0, {type(estimator).__name__} has no memory to '
                          'go back to')
