"""From stamped readings, in whatever order they come, to estimates."""

from contextlib import suppress
from dataclasses import dataclass
import math
import time

import numpy as np

from mb_estimators.divergence import DivergenceWatch
from mb_estimators.filter import DivergenceError, Estimate, ImpossibleReadingError, Innovation
from mb_estimators.inputs import HeldInputs
from mb_estimators.interpolation import Interpolation
from mb_estimators.reading_order import ReadingOrder, Verdict
from mb_estimators.steps import predict_between
from mb_estimators.stuck import StuckWatch
from mb_estimators.trust import Trust
from mb_sensors.sampling import NANOSECONDS


@dataclass(frozen=True, slots=True)
class Step:
    """An estimate at a stamp [ns], how its readings fitted, and the time it took to make [s].

    distrust: why the estimate is not to be trusted, in words; empty if it is.
    """

    stamp: int
    estimate: Estimate
    innovation: Innovation
    step_time: float
    distrust: str = ''


@dataclass
class Counts:
    """What became of the readings since the start."""

    used: int = 0
    rejected: int = 0
    late: int = 0


class EstimateStream:
    """Feeds a filter with the readings of its sensors.

    The estimates are a function of the stamped readings alone: not of the time or, within the
    reorder window, the order in which they come.  Impossible ones are counted, told, left out.
    """

    def __init__(self, estimator, sensors, initial, settings, tell=lambda problem: None):
        """Set up.

        estimator: a Filter; sensors: its Sensor objects; initial: (z, zd) at the start; settings:
        StreamSettings; tell: called with a sentence for everything that is wrong with the readings.
        """
        self._filter = estimator
        self._initial = initial
        self._settings = settings
        self._tell = tell
        self._sensors = tuple(sensors)
        self._rates = {s.name: s.settings.rate for s in sensors}
        self._places = _places(sensors)
        self._readings = np.empty(sum(len(s.channels) for s in sensors))
        self._counts = Counts()
        self._missing_before = 0
        self.diverged = ''
        self._rehearse()
        start = round(settings.start_time * NANOSECONDS) if settings.start_time > 0.0 else None
        self._start(start)

    @property
    def counts(self):
        """What became of the readings, a Counts."""
        return self._counts

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
            self._tell(f'{sensor}: stamps have jumped to {_seconds(stamp)}; the filter starts anew')
            self._missing_before += self._order.missing
            self._start(stamp)
            verdict = self._order.add(sensor, stamp, values)
        if verdict is Verdict.TOO_LATE:
            self._take_late(sensor, stamp, values)
            return []
        if verdict is Verdict.NOT_NEWER:
            return self._reject(f'{sensor}: stamp {_seconds(stamp)} is not newer than the last one')
        if verdict is Verdict.TOO_FAR:
            return self._reject(f'{sensor}: stamp {_seconds(stamp)} is implausibly far ahead')
        return self._complete()

    def add_input(self, stamp, values):
        """Take in inputs (u), to hold from a stamp [ns] on; return the Steps that it completes.

        Whoever is late holds from the next step on.
        """
        if self._order.is_far_ahead(stamp):
            return self._reject(f'inputs: stamp {_seconds(stamp)} is implausibly far ahead')
        if self._now is not None and stamp < self._now:
            self._counts.late += 1
            self._tell(f'inputs of {_seconds(stamp)} came too late')
        self._inputs.add(stamp, values)
        return self._complete()

    def _complete(self):
        """Return the Steps of all instants that are complete."""
        until = None
        if self._settings.input_rate > 0.0:
            until = -1 if self._inputs.newest is None else self._inputs.newest
        steps = (self._step(*instant) for instant in self._order.complete(until))
        return [step for step in steps if step is not None]

    def _take_late(self, sensor, stamp, values):
        """Hand a reading of an instant that is over to a filter that still uses it, or count it."""
        if hasattr(self._filter, 'correct_late'):
            readings = np.full(len(self._readings), np.nan)
            readings[self._places[sensor]] = values
            try:
                if self._filter.correct_late((self._now - stamp) / NANOSECONDS, readings):
                    self._counts.used += 1
                    return
            except (ArithmeticError, ValueError) as error:
                self._reject(f'{sensor}: late reading of {_seconds(stamp)} is impossible: {error}')
                return
        self._counts.late += 1
        self._tell(f'{sensor}: reading of {_seconds(stamp)} came too late')

    def _rehearse(self):
        """Run the filter once and forget it: nothing is left to compile when readings come."""
        with suppress(DivergenceError):
            self._filter.predict(self._settings.dt)
            self._filter.correct(np.full(len(self._readings), np.nan))

    def _start(self, start):
        """Put the filter at its initial state, to hold at a stamp [ns] or at the first reading."""
        self._filter.reset(*self._initial)
        self._now = start
        self._good = None
        self._watch = DivergenceWatch(self._settings.nis_bound, self._settings.nis_time)
        self.diverged = ''
        lines = {s.name: Interpolation(s, self._settings.dt) for s in self._sensors}
        self._order = ReadingOrder(
            self._rates, start, self._settings.reorder_window, self._settings.longest_gap,
            lines if self._settings.interpolate else None)
        self._inputs = HeldInputs()
        self._trust = Trust(self._rates, self._settings.distrust_time)
        self._stuck = StuckWatch(self._places, self._settings.stuck_after)

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

    def _step(self, stamp, readings):
        """Bring the filter to a stamp and take in all readings of that instant."""
        if self.diverged:
            self._counts.rejected += len(readings)
            return None
        begin = time.perf_counter()
        readings = self._note(stamp, readings)
        try:
            self._predict_to(stamp)
            innovation = self._filter.correct(self._readings)
            self._watch.check(stamp, innovation)
        except ImpossibleReadingError as error:
            self._counts.rejected += len(readings)
            self._tell(f'readings of {_seconds(stamp)} are impossible: {error}')
            return None
        except (ArithmeticError, ValueError) as error:      # filters of others raise what they like
            return self._on_divergence(stamp, readings, error)
        rejected = [name for name in readings if self._was_rejected(name, innovation)]
        if rejected:
            self._tell(f'{", ".join(rejected)}: incredible reading at {_seconds(stamp)}')
        for name in rejected:
            self._trust.missed(stamp, name, 'has sent incredible readings')
        for name in self._stuck.check(innovation):
            self._tell(f'{name}: sticks at {_seconds(stamp)}')
            self._trust.missed(stamp, name, 'sticks')
        self._counts.rejected += len(rejected)
        self._counts.used += len(readings) - len(rejected)
        step_time = time.perf_counter() - begin
        estimate = self._filter.estimate
        if not self._watch.alarmed:
            self._good = estimate
        return Step(stamp, estimate, innovation, step_time,
                    self._trust.problem(stamp, self._watch.alarmed))

    def _note(self, stamp, readings):
        """Write the readings of an instant for the filter; return them without those that stick."""
        self._readings.fill(np.nan)
        self._trust.saw(stamp, readings)
        stuck = [name for name, values in readings.items() if self._stuck.sticks(name, values)]
        for name in stuck:
            self._counts.rejected += 1
            self._trust.missed(stamp, name, 'sticks')
        moving = {name: values for name, values in readings.items() if name not in stuck}
        for name, values in moving.items():
            self._readings[self._places[name]] = values
        return moving

    def _was_rejected(self, sensor, innovation):
        """Tell whether the filter left a reading of a sensor out."""
        place = self._places[sensor]
        return any(place.start <= channel < place.stop for channel in innovation.rejected)

    def _predict_to(self, stamp):
        """Predict up to a stamp [ns]."""
        if self._now is None:
            self._now = stamp
        predict_between(self._filter, self._now, stamp, self._settings.dt, self._inputs)
        self._inputs.forget_before(stamp)
        self._now = stamp

    def _on_divergence(self, stamp, readings, error):
        """Leave the readings out; go on from the last good estimate, or stop, as configured."""
        self._counts.rejected += len(readings)
        self._tell(f'filter has diverged at {_seconds(stamp)}: {error}')
        if self._settings.restart:
            z, zd = (self._good.z, self._good.zd) if self._good else self._initial
            self._filter.reset(z, zd)
            self._watch.forget()
            self._now = stamp
        else:
            self.diverged = str(error)


def _places(sensors):
    """Return each sensor's slice of the readings of all channels."""
    places, begin = {}, 0
    for sensor in sensors:
        places[sensor.name] = slice(begin, begin + len(sensor.channels))
        begin += len(sensor.channels)
    return places


def _seconds(stamp):
    """Return a stamp [ns] in words."""
    return f'{stamp / NANOSECONDS:.6f} s'
