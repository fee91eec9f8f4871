"""The run of a filter from instant to instant, back to late readings, and on again."""

from collections.abc import Sequence
import time
from typing import Any

from numpy.typing import ArrayLike

from mb_estimators.filter import FilterError, Rewindable
from mb_estimators.state import copied
from mb_estimators.stream.filter_run import FilterRun
from mb_estimators.stream.history import History, Instant
from mb_estimators.stream.intake import Intake
from mb_estimators.stream.reading_order import ReadingOrder
from mb_estimators.stream.run_watches import Report
from mb_estimators.stream.step import LateReading, Step
from mb_estimators.stream.stream_settings import StreamSettings
from mb_estimators.stream.stream_state import StreamState
from mb_estimators.timeline import seconds
from mb_sensors import NANOSECONDS

FORCES = 'known_forces'     # among what is silent
INPUTS = 'inputs'           # among what is behind


class InstantRun:
    """Takes a FilterRun through complete instants, and again through past ones after late readings.

    It acts on a StreamState, `state`, and the History in it, if there is one.
    """

    def __init__(self, run: FilterRun, order: ReadingOrder, intake: Intake,
                 settings: StreamSettings, report: Report, goes_back: bool,
                 reads_forces: bool) -> None:
        """Set up; goes_back: whether to keep a History; reads_forces: whether inputs are these.

        Raises FilterError for a filter that cannot go back.
        """
        if goes_back:
            _require_rewindable(run.filter, settings)
        self._run, self._order, self._intake, self._report = run, order, intake, report
        self._length = round(settings.history_length * NANOSECONDS) if goes_back else None
        self._wanted, self._reads_forces = settings.late_estimates, reads_forces
        self._waits_for_inputs = settings.input_rate > 0.0 or reads_forces

    def begin(self, state: StreamState, stamp: int) -> None:
        """Forget all instants up to a stamp [ns]; the run continues from its present state."""
        if self._length is not None:
            state.history = History.beginning(self._length, stamp, copied(state.run))

    def silent(self, state: StreamState) -> list[str]:
        """Return names of what has not come for longer than the reorder window."""
        known = not self._reads_forces or self._order.is_current(
            state.order, state.inputs.newest)
        return self._order.silent(state.order) + ([] if known else [FORCES])

    def behind(self, state: StreamState, stamp: int) -> list[str]:
        """Return names of what an instant of a stamp [ns] waits for: sensors, INPUTS."""
        newest = state.inputs.newest
        waits = self._waits_for_inputs and (newest is None or newest < stamp)
        return self._order.behind(state.order, stamp) + ([INPUTS] if waits else [])

    def complete(self, state: StreamState) -> list[Step]:
        """Return the Steps of all instants that are complete."""
        until = None
        if self._waits_for_inputs:
            until = -1 if state.inputs.newest is None else state.inputs.newest
        steps: list[Step] = []
        for stamp, readings in self._order.complete(state.order, until):
            steps += self.again(state)
            if self._run.is_cut_off(state.run, stamp):
                # Some sensors began far from the others, and first stamps could not be compared.
                self._report(f'stamps go on at {seconds(stamp)}, after '
                             f'{seconds(state.run.now or 0)}; the filter starts anew')
                self._run.start(state.run, None)
                self.begin(state, stamp - 1)
            step = self._run.step(state, stamp, readings)
            self._note(state, stamp, readings)
            state.inputs.forget_before(state.history.oldest.stamp if state.history else stamp)
            if step is not None:
                steps.append(step)
        return steps

    def add_input(self, state: StreamState, stamp: int, values: ArrayLike) -> list[Step]:
        """Add inputs (u) of a stamp [ns]; return the Steps that they complete."""
        self._order.suspect_input(state.order, stamp, values)
        if self._order.is_far_ahead(state.order, stamp):
            return self._intake.reject(
                state.intake, f'inputs: stamp {seconds(stamp)} is implausibly far ahead')
        begin = state.inputs.acts_from(stamp)
        late = state.run.now is not None and begin < state.run.now
        state.inputs.add(stamp, values)
        if late and state.history and state.history.reaches(begin):
            state.history.add_late_input(begin)
            return self.again(state) + self.complete(state)
        if late:
            state.intake.counts.late += 1
            self._report(f'inputs of {seconds(stamp)} came too late')
        return self.complete(state)

    def take_late(self, state: StreamState, sensor: str, stamp: int,
                  values: Sequence[float]) -> list[Step]:
        """Use a reading of a past instant, if history or filter can, or count it."""
        if state.history and state.history.reaches(stamp):
            if state.history.has(sensor, stamp):
                return self._intake.reject(
                    state.intake, f'{sensor}: a second reading of {seconds(stamp)}')
            state.history.add_late(sensor, stamp, values)
            self._order.no_longer_misses(state.order, sensor, stamp)
            late = self._order.expects_late(state.order, stamp)
            return [] if late else self.again(state)
        try:
            if self._run.correct_late(state.run, sensor, stamp, values):
                state.intake.counts.used += 1
                return []
        except (ArithmeticError, ValueError) as error:
            return self._intake.reject(
                state.intake, f'{sensor}: late reading of {seconds(stamp)} is impossible: {error}')
        state.intake.counts.late += 1
        self._report(f'{sensor}: reading of {seconds(stamp)} came too late')
        return []

    def _note(self, state: StreamState, stamp: int, readings: dict[str, Any]) -> None:
        """Note an instant that the run has just passed."""
        if state.history:
            state.history.append(stamp, readings, copied(state.run))

    def again(self, state: StreamState) -> list[Step]:
        """Go back to before the oldest news and through all since; return the Steps to publish."""
        history = state.history
        if not (history and history.news):
            return []
        begin, news, wanted = time.perf_counter(), history.news, self._wanted
        before, instants = history.since(min(news))
        history.news = {}
        steps: list[Step] = []
        late: list[LateReading] = []
        self._run.go_back(state.run, before)
        for instant in instants:
            stamp, sensors = instant.stamp, news.get(instant.stamp)
            report = (self._report,) if sensors else ()
            innovation = self._run.pass_by(state, stamp, instant.readings, *report)
            instant.after = copied(state.run)
            if innovation is None:
                continue
            late += [LateReading(sensor, stamp, innovation) for sensor in sensors or ()]
            if (sensors and wanted != 'newest') or (
                    instant is instants[-1] and (wanted != 'corrected' or not any(news.values()))):
                step = self._run.step_here(state, stamp, innovation, begin, ())
                if step is not None:
                    steps.append(step)
        if steps:
            steps[0] = steps[0]._replace(late=tuple(late))
        return steps

    def from_here(self, state: StreamState, stamp: int) -> list[Step]:
        """Pass all instants since a stamp [ns] in the history, at which the run has been put.

        Returns the Steps to publish: the newest one.
        """
        begin, innovation = time.perf_counter(), None
        instants: list[Instant] = state.history.since(stamp)[1] if state.history else []
        self.begin(state, stamp - 1)
        for instant in instants:
            innovation = self._run.pass_by(state, instant.stamp, instant.readings)
            self._note(state, instant.stamp, instant.readings)
        if innovation is None:
            return []
        step = self._run.step_here(state, instants[-1].stamp, innovation, begin, ())
        return [] if step is None else [step]


def _require_rewindable(filter_: Any, settings: StreamSettings) -> None:
    """Raise FilterError unless a filter can go back as StreamSettings ask for."""
    if settings.interpolate:
        raise FilterError('history_length: must be 0 with interpolate, whose lines need all '
                          'readings in order')
    if not isinstance(filter_, Rewindable):
        raise FilterError(f'history_length: must be 0, {type(filter_).__name__} has no memory to '
                          'go back to')
