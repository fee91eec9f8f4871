"""From stamped readings, in whatever order they come, to estimates."""

import numpy as np

from mb_estimators.filter_run import FilterRun
from mb_estimators.going_back import GoingBack, require_memory
from mb_estimators.inputs import HeldInputs
from mb_estimators.intake import Counts, Intake
from mb_estimators.interpolation import Interpolation
from mb_estimators.reading_order import ReadingOrder, Verdict
from mb_estimators.stamps import seconds
from mb_model.sensible import require_sensible
from mb_sensors.sampling import NANOSECONDS


class EstimateStream:
    """Feeds a filter with the readings of its sensors.

    The estimates are a function of the stamped readings alone: not of the time or, within the
    reorder window, the order in which they come.  Readings of instants that are over, but within
    the history, correct these, and all since: the estimates after them are those of readings that
    came in order.  Impossible ones are counted, told, left out.  What users ask for in between
    (enable, set_state, reset, retune) holds from the next instant on.
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
        goes_back = settings.history_length > 0.0 and not self._keeps_open
        if goes_back:
            require_memory(estimator, settings)
        self._inputs = HeldInputs()
        self._run = FilterRun(estimator, sensors, settings, self._inputs, dict(gates), tell)
        self._places = self._run.places
        self._back = GoingBack(self._run, settings, tell) if goes_back else None
        self._rates = {sensor.name: sensor.settings.rate for sensor in sensors}
        self._intake = Intake(self._places, self._rates, tell)
        self._counts = self._intake.counts      # beside those of the run
        self._missing_before = 0
        self._order = None
        self._start(self._start_time)

    @property
    def counts(self):
        """What became of the readings, a Counts."""
        own = self._counts
        return Counts(own.used + self._run.used, own.rejected + self._run.rejected, own.late,
                      own.ignored)

    @property
    def off(self):
        """Names of the sensors that are switched off."""
        return self._intake.switches.off

    @property
    def incredible(self):
        """How many readings of each sensor were not credible, a Counter."""
        return self._run.incredible

    @property
    def diverged(self):
        """Why the filter cannot go on, empty if it can."""
        return self._run.diverged

    @property
    def lost(self):
        """Why the last readings, also impossible ones, say that the estimate cannot be right."""
        return self._run.lost

    @property
    def missing(self):
        """How many readings of periodic sensors are missing, by the gaps between stamps."""
        return self._missing_before + self._order.missing

    @property
    def newest(self):
        """The newest stamp of all readings [ns], None before the first."""
        return self._order.newest

    @property
    def silent(self):
        """Names of the sensors of which nothing has come for longer than the reorder window."""
        return self._order.silent()

    def add(self, sensor, stamp, values):
        """Take in the reading of a sensor at a stamp [ns]; return the Steps that it completes."""
        return self.add_all(stamp, [(sensor, values)])

    def add_all(self, stamp, readings):
        """Take in readings (sensor, values) of a stamp [ns] that have come in one message.

        Returns the Steps that they complete.
        """
        self._has_news, steps = False, []
        for sensor, values in readings:
            if self._run.diverged:
                self._intake.reject(f'filter has diverged: {self._run.diverged}')
                continue
            for at, believed in self._intake.let_in(sensor, stamp, values, self._order):
                steps += self._put_in_order(sensor, at, believed)
        return steps + self._complete() if self._has_news else steps

    def _put_in_order(self, sensor, stamp, values):
        """Take in a reading that was let in; return Steps due before those that it completes."""
        verdict = self._order.add(sensor, stamp, values)
        if verdict is None:
            self._has_news = True       # that may complete instants
            return []
        if verdict is Verdict.KNOWN:
            return []
        if verdict is Verdict.FIRST_DENIED:
            self._intake.believe_next(sensor)
            steps = self._reject(f'{sensor}: its first stamp is far ahead of those around it')
            return steps + self._put_in_order(sensor, stamp, values)
        if verdict is Verdict.CLOCK_JUMP:
            return self._jump()
        if verdict is Verdict.TOO_LATE:
            return self._take_late(sensor, stamp, values)
        if verdict is Verdict.NOT_NEWER:
            return self._reject(f'{sensor}: stamp {seconds(stamp)} is not newer than the last one')
        return self._reject(f'{sensor}: stamp {seconds(stamp)} is implausibly far ahead')

    def add_input(self, stamp, values):
        """Take in inputs (u), to hold from a stamp [ns] on; return the Steps that it completes.

        Whoever is late holds from the next step on, or, within the history, as if he had not been.
        """
        self._order.suspect_input(stamp, values)
        if self._order.is_far_ahead(stamp):
            return self._reject(f'inputs: stamp {seconds(stamp)} is implausibly far ahead')
        late = self._run.now is not None and stamp < self._run.now
        self._inputs.add(stamp, values)
        if late and self._back and self._back.reaches(stamp):
            self._back.add_input(stamp)
            return self._back.again() + self._complete()
        if late:
            self._counts.late += 1
            self._tell(f'inputs of {seconds(stamp)} came too late')
        return self._complete()

    def enable(self, sensor, on):
        """Use the readings of a sensor from the next instant on, or ignore them.

        Returns the Steps that this completes.  Raises ValueError for an unknown sensor.
        """
        self._intake.require_known(sensor)
        if on == (sensor not in self.off):
            return []
        self._intake.turn(sensor, on, self._order.released)
        self._order.switch(sensor, on)
        self._run.listen_to(sensor, on)
        return self._complete()

    def reset(self):
        """Put the filter at its initial state, to hold at the next reading, whatever its stamp."""
        self._start(None)

    def begin_again(self):
        """Be as after the start, because the clock has gone back; return Steps of what has come."""
        return self._start_with(self._order.suspects)

    def set_state(self, z, zd, covariance=None, stamp=None):
        """Put the filter at z, zd (g) with a covariance of its states, or that of its settings.

        stamp [ns]: at which that holds; readings before it are no longer used, those since then,
        within the history, are used again; None: at the next instant.
        Returns the Steps to put out.  Raises ValueError and changes nothing for what is impossible.
        """
        now, again = self._run.now, False
        if now is not None and self._run.is_timed:
            raise ValueError('the state cannot be set once the estimate moves: coordinates are '
                             'prescribed over time')
        if stamp is not None and now is not None and stamp < now:
            again = self._back and self._back.reaches(stamp)
            if not again:
                raise ValueError(f'stamp: {seconds(stamp)} is before the present estimate, of '
                                 f'{seconds(now)}, and before the history')
        if stamp is not None and self._order.is_far_ahead(stamp):
            raise ValueError(f'stamp: {seconds(stamp)} is implausibly far ahead')
        z, zd = (_checked(*given, len(self._initial[0])) for given in (('z', z), ('zd', zd)))
        self._run.require_possible((z, zd, covariance))
        self._run.start((z, zd, covariance), stamp)
        if again:
            return self._back.from_here(stamp)
        if stamp is not None:
            self._order.leave_out_before(stamp)
        if self._back:
            self._back.begin(self._order.released)
        return []

    def retune(self, estimator, sensors, settings, gates):
        """Go on with another filter, in the same state, and other settings, as set up with.

        dt, start_time, history_length, interpolate stay as they are.  What is before the present
        can no longer be gone back to.  Raises FilterError and changes nothing for what cannot be.
        """
        self._run.retune(estimator, sensors, settings, gates)
        self._filter, self._sensors, self._settings = estimator, tuple(sensors), settings
        self._order.retune(settings.reorder_window, settings.longest_gap)
        if self._back:
            self._back = GoingBack(self._run, settings, self._tell)
            self._back.begin(self._order.released)

    def remember(self):
        """Return all that another process needs to go on from here; see checkpoint.

        With a history, from its beginning: late readings may come of all that is since then.
        """
        counts, back = self._counts, self._back
        run, end = ((back.oldest_memory, back.oldest) if back
                    else (self._run.remember(), self._order.released))
        return (run, self._order.remember(end), self._inputs.remember(),
                (counts.rejected, counts.late, counts.ignored), self._missing_before,
                self._intake.switches.remember())

    def resume(self, memory):
        """Go on from what a stream like this one has remembered.

        What had waited then, and has come since, has to come again; what it had used may.
        """
        run, order, inputs, counts, missing_before, switches = memory
        self._intake.switches.recall(switches)
        self._start(None)
        self._intake.switches.recall(switches)      # with the stamps since which they hold
        for sensor in self._places:
            self._run.listen_to(sensor, sensor not in self.off)
        self._missing_before = missing_before
        self._run.recall(run)
        self._order.resume(order)
        self._inputs.recall(inputs)
        self._counts.rejected, self._counts.late, self._counts.ignored = counts
        if self._back:
            self._back.begin(self._order.released)

    def predicted(self, stamp):
        """Return the Estimate of a stamp [ns] by what is known so far, which stays as it is.

        None before the first reading, for the past, longer than sensor_timeout after the last
        reading, twice longest_gap after the last instant, and if the filter cannot get there.
        """
        newest, longest = self._order.newest, self._settings.sensor_timeout
        if (newest is None or stamp > newest + round(longest * NANOSECONDS)
                or self._is_cut_off(stamp)):
            return None
        return self._run.predicted(stamp)

    def _complete(self):
        """Return the Steps of all instants that are complete."""
        until = None
        if self._settings.input_rate > 0.0:
            until = -1 if self._inputs.newest is None else self._inputs.newest
        steps, back = [], self._back
        for stamp, readings in self._order.complete(until):
            if back and back.has_news:
                steps += back.again()
            if self._is_cut_off(stamp):
                self._cross(stamp)
            step = self._run.step(stamp, readings)
            if back:
                back.passed(stamp, readings)
            self._inputs.forget_before(back.oldest if back else stamp)
            if step is not None:
                steps.append(step)
        return steps

    def _is_cut_off(self, stamp):
        """Tell whether a stamp [ns] is farther ahead of the filter than it is ever to predict.

        What waits is less than longest_gap ahead of what came before it, and that of the filter.
        """
        now = self._run.now
        return now is not None and stamp - now > 2 * self._order.longest_gap

    def _cross(self, stamp):
        """Put the filter at its initial state, to hold at a stamp [ns] that is cut off.

        Some sensors began far from the others, whose first stamps nothing could be compared with.
        """
        self._tell(f'stamps go on at {seconds(stamp)}, after {seconds(self._run.now)}; the filter '
                   'starts anew')
        self._run.start(self._initial, None)
        if self._back:
            self._back.begin(stamp - 1)

    def _take_late(self, sensor, stamp, values):
        """Use a reading of an instant that is over, as history or filter can, or count it."""
        if self._back and self._back.reaches(stamp):
            if self._back.has(sensor, stamp):
                return self._reject(f'{sensor}: a second reading of {seconds(stamp)}')
            self._back.add(sensor, stamp, values)
            self._order.found(sensor, stamp)
            return [] if self._order.expects_late(stamp) else self._back.again()
        if self._keeps_open:
            readings = np.full(sum(len(s.channels) for s in self._sensors), np.nan)
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

    def _jump(self):
        """Start anew with what has come since the stamps have jumped; return the Steps."""
        *counted, last = self._order.suspects
        self._tell(f'{last.sensor}: stamps have jumped to {seconds(counted[0].stamp)}; the filter '
                   'starts anew')
        return self._start_with(counted, last)

    def _start_with(self, counted, *last):
        """Start anew with Suspects, all but the last of which have been counted."""
        for suspect in counted:
            if suspect.verdict is Verdict.TOO_LATE:
                self._counts.late -= 1
            else:
                self._counts.rejected -= 1
        suspects = [*counted, *last]
        begin, gap = self._start_time, self._order.longest_gap
        fits = begin is not None and all(0 <= s.stamp - begin <= gap for s in suspects[:1])
        self._start(begin if fits else None)
        steps = []
        for suspect in suspects:
            steps += (self.add_input(*suspect[2:]) if suspect.sensor is None
                      else self.add(*suspect[1:]))
        return steps

    @property
    def _start_time(self):
        """The stamp [ns] at which the initial state holds, None for that of the first reading."""
        start = self._settings.start_time
        return round(start * NANOSECONDS) if start > 0.0 else None

    def _start(self, start):
        """Put the filter at its initial state, to hold at a stamp [ns] or at the first reading."""
        settings = self._settings
        self._run.start(self._initial, start)
        lines = {s.name: Interpolation(s, settings.dt) for s in self._sensors}
        if self._order:
            self._missing_before += self._order.missing
        self._order = ReadingOrder(
            self._rates, start, settings.reorder_window, settings.longest_gap,
            lines if settings.interpolate else None,
            settings.history_length if self._back else 0.0)
        self._intake.begin_again()
        for sensor in self.off:
            self._order.switch(sensor, False)
        self._inputs.clear()
        if self._back:
            self._back.begin(self._order.released)

    def _reject(self, problem):
        """Count and tell a reading, or inputs, that are left out; return no Steps."""
        self._intake.reject(problem)
        return []


def _checked(name, values, count):
    """Return values as an array (count).  Raises ValueError."""
    values = np.array(values, dtype=np.float64)
    if values.shape != (count,):
        raise ValueError(f'{name}: {values.size} values, expected {count}')
    return require_sensible(name, values)
