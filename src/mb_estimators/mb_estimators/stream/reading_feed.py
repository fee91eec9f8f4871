"""Readings fed to a filter in the order of their stamps, also late ones and after jumps."""

from mb_estimators.stream.filter_run import FilterRun
from mb_estimators.stream.intake import Intake
from mb_estimators.stream.interpolation import Interpolation
from mb_estimators.stream.late_reading_replay import LateReadingReplay, require_rewindable
from mb_estimators.stream.order_state import Verdict
from mb_estimators.stream.reading_order import ReadingOrder
from mb_estimators.stream.stream_figures import StreamFigures
from mb_estimators.stream.stream_state import StreamState
from mb_estimators.timeline import HeldInputs, ReadInputs, seconds
from mb_sensors import NANOSECONDS

FORCES = 'known_forces'     # among what is silent
INPUTS = 'inputs'           # among what is behind


class ReadingFeed(StreamFigures):
    """Adds readings and inputs, and steps the filter through the instants that they complete.

    The part of EstimateStream on readings: all changing data are in `state`.
    """

    def __init__(self, estimator, sensors, initial, settings, report=lambda problem: None,
                 gates=(), inputs=HeldInputs):
        """Set up.

        estimator: a Filter; sensors: its Sensor objects; initial: (z, zd) at the start; settings:
        StreamSettings; report: called with a sentence for every problem of the
        readings; gates: GateSettings of sensors by name; inputs: HeldInputs, or ReadInputs, for
        which instants wait.
        Raises FilterError.
        """
        self._initial, self._report, self._new_inputs = initial, report, inputs
        self._set_up(estimator, sensors, settings, dict(gates))
        self._run.rehearse(self._waits_for_forces)
        self._intake = Intake(self._run.places, self._rates, report, {
            sensor.name for sensor in sensors if sensor.settings.sporadic})
        self.state = StreamState(self._run.new_state(initial), self._order.new_state())
        self._start(self._start_time)

    def _set_up(self, estimator, sensors, settings, gates):
        """Make all parts that depend on settings, not the state.  Raises FilterError."""
        run = FilterRun(estimator, sensors, settings, gates, self._report)
        goes_back = settings.history_length > 0.0 and not run.keeps_open
        if goes_back:
            require_rewindable(estimator, settings)
        self._settings, self._run = settings, run
        self._sensors = tuple(sensors)
        self._rates = {sensor.name: sensor.settings.rate for sensor in sensors}
        self._replay = LateReadingReplay(run, settings, self._report) if goes_back else None
        self._order = ReadingOrder(self._rates, settings.reorder_window, settings.longest_gap,
                                   settings.history_length if goes_back else 0.0)

    @property
    def silent(self):
        """Names of what has not come for longer than the reorder window: sensors, known forces."""
        order, inputs = self.state.order, self.state.inputs
        known = not self._waits_for_forces or self._order.is_current(order, inputs.newest)
        return self._order.silent(order) + ([] if known else [FORCES])

    def behind(self, stamp: int) -> list[str]:
        """Return names of what an instant of a stamp [ns] waits for: sensors, INPUTS."""
        names = [name for name, source in self.state.order.sources.items() if not source.is_late
                 and (source.newest is None or source.newest < stamp)]
        newest = self.state.inputs.newest
        if self._waits_for_inputs and (newest is None or newest < stamp):
            names.append(INPUTS)
        return names

    @property
    def _waits_for_inputs(self):
        return self._settings.input_rate > 0.0 or self._waits_for_forces

    @property
    def _waits_for_forces(self):
        return self._new_inputs is ReadInputs

    def take_impossible(self, before=None):
        """Return (stamp [ns], Innovation) of instants whose readings were all impossible, once.

        before: a stamp [ns] that ends them, None for all.
        """
        waiting, found = self._run.impossible, []
        while waiting and (before is None or waiting[0][0] < before):
            found.append(waiting.popleft())
        return found

    def add(self, sensor, stamp, values):
        """Add the reading of a sensor at a stamp [ns]; return the Steps that it completes."""
        return self.add_all(stamp, [(sensor, values)])

    def add_all(self, stamp, readings):
        """Add readings (sensor, values) of a stamp [ns] that have come in one message.

        Returns the Steps that they complete.
        """
        state, steps, may_complete = self.state, [], False
        for sensor, values in readings:
            if state.run.diverged:
                self._reject(f'filter has diverged: {state.run.diverged}')
                continue
            is_far_ahead = self._order.is_far_ahead(state.order, stamp)
            for at, believed in self._intake.let_in(
                    state.intake, sensor, stamp, values, is_far_ahead):
                found = self._put_in_order(sensor, at, believed)
                if found is None:
                    may_complete = True
                else:
                    steps += found
        return steps + self._complete() if may_complete else steps

    def _put_in_order(self, sensor, stamp, values):
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
            return self._jump()
        if verdict is Verdict.TOO_LATE:
            return self._take_late(sensor, stamp, values)
        if verdict is Verdict.NOT_NEWER:
            return self._reject(f'{sensor}: stamp {seconds(stamp)} is not newer than the last one')
        return self._reject(f'{sensor}: stamp {seconds(stamp)} is implausibly far ahead')

    def add_input(self, stamp, values):
        """Add inputs (u) of a stamp [ns]; return the Steps that they complete.

        Late ones act from the next step on, or, within the history, as if they had been in time.
        """
        state = self.state
        self._order.suspect_input(state.order, stamp, values)
        if self._order.is_far_ahead(state.order, stamp):
            return self._reject(f'inputs: stamp {seconds(stamp)} is implausibly far ahead')
        begin = state.inputs.acts_from(stamp)
        late = state.run.now is not None and begin < state.run.now
        state.inputs.add(stamp, values)
        if late and state.history and state.history.reaches(begin):
            state.history.add_late_input(begin)
            return self._replay.again(state) + self._complete()
        if late:
            state.intake.counts.late += 1
            self._report(f'inputs of {seconds(stamp)} came too late')
        return self._complete()

    def _complete(self):
        """Return the Steps of all instants that are complete."""
        state, until = self.state, None
        if self._waits_for_inputs:
            until = -1 if state.inputs.newest is None else state.inputs.newest
        steps = []
        for stamp, readings in self._order.complete(state.order, until):
            if state.history and state.history.news:
                steps += self._replay.again(state)
            if self._is_cut_off(stamp):
                self._cross(stamp)
            step = self._run.step(state, stamp, readings)
            if state.history:
                self._replay.passed(state, stamp, readings)
            state.inputs.forget_before(state.history.oldest.stamp if state.history else stamp)
            if step is not None:
                steps.append(step)
        return steps

    def _is_cut_off(self, stamp):
        """Return whether a stamp [ns] is farther ahead of the filter than it is ever to predict.

        Waiting readings are less than longest_gap ahead of earlier ones, and these of the filter.
        """
        now = self.state.run.now
        return now is not None and stamp - now > 2 * self._order.longest_gap

    def _cross(self, stamp):
        """Put the filter at its initial state, to hold at a stamp [ns] that is cut off.

        Some sensors began far from the others, and their first stamps could not be compared.
        """
        run = self.state.run
        self._report(f'stamps go on at {seconds(stamp)}, after {seconds(run.now)}; the filter '
                     'starts anew')
        self._run.start(run, self._initial, None)
        self._begin_history(stamp - 1)

    def _take_late(self, sensor, stamp, values):
        """Use a reading of a past instant, if history or filter can, or count it."""
        state = self.state
        if state.history and state.history.reaches(stamp):
            if state.history.has(sensor, stamp):
                return self._reject(f'{sensor}: a second reading of {seconds(stamp)}')
            state.history.add_late(sensor, stamp, values)
            self._order.found(state.order, sensor, stamp)
            late = self._order.expects_late(state.order, stamp)
            return [] if late else self._replay.again(state)
        if self._run.keeps_open:
            try:
                if self._run.correct_late(state.run, sensor, stamp, values):
                    state.intake.counts.used += 1
                    return []
            except (ArithmeticError, ValueError) as error:
                return self._reject(
                    f'{sensor}: late reading of {seconds(stamp)} is impossible: {error}')
        state.intake.counts.late += 1
        self._report(f'{sensor}: reading of {seconds(stamp)} came too late')
        return []

    def _jump(self):
        """Start anew with the readings since the stamps have jumped; return the Steps."""
        *counted, last = self.state.order.suspects
        self._report(f'{last.sensor}: stamps have jumped to {seconds(counted[0].stamp)}; the '
                     'filter starts anew')
        return self._start_with(counted, last)

    def _start_with(self, counted, *last):
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
        steps = []
        for suspect in suspects:
            steps += (self.add_input(*suspect[2:]) if suspect.sensor is None
                      else self.add(*suspect[1:]))
        return steps

    @property
    def _start_time(self):
        """The stamp [ns] at which the initial state holds, None: at the first reading."""
        start = self._settings.start_time
        return round(start * NANOSECONDS) if start > 0.0 else None

    def _start(self, start):
        """Put the filter at its initial state, to hold at a stamp [ns] or at the first reading."""
        state, settings = self.state, self._settings
        self._run.start(state.run, self._initial, start)
        lines = {sensor.name: Interpolation.of(sensor, settings.dt)
                 for sensor in self._sensors} if settings.interpolate else None
        state.missing_before += state.order.missing
        state.order = self._order.new_state(start, lines)
        self._intake.begin_again(state.intake)
        for sensor in self.off:
            self._order.switch(state.order, sensor, False)
        state.inputs = self._new_inputs()
        self._begin_history(state.order.released)

    def _begin_history(self, stamp):
        """Forget all instants up to a stamp [ns], if there is a history."""
        if self._replay:
            self._replay.begin(self.state, stamp)

    def _reject(self, problem):
        """Count and report a reading, or inputs, that are left out; return no Steps."""
        self._intake.reject(self.state.intake, problem)
        return []
