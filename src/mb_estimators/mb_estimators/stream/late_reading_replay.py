"""Replay of late readings: back to before them, and forward again."""

import time

from mb_estimators.filter import FilterError, Rewindable
from mb_estimators.state import copied
from mb_estimators.stream.history import History
from mb_estimators.stream.step import LateReading
from mb_sensors import NANOSECONDS


class LateReadingReplay:
    """Takes a FilterRun back to before late readings and through all instants since.

    It acts on the StreamState of the run, `state`, and the History in it.
    """

    def __init__(self, run, settings, report):
        """Set up for a FilterRun; settings: StreamSettings; report: as for EstimateStream."""
        self._run, self._report = run, report
        self._length = round(settings.history_length * NANOSECONDS)
        self._wanted = settings.late_estimates

    def begin(self, state, stamp):
        """Forget all up to a stamp [ns]; the run continues from its present state."""
        state.history = History.beginning(self._length, stamp, copied(state.run))

    def passed(self, state, stamp, readings):
        """Note an instant that the run has just passed."""
        state.history.append(stamp, readings, copied(state.run))

    def again(self, state):
        """Go back to before the oldest news and through all since; return the Steps to publish."""
        begin, news, wanted = time.perf_counter(), state.history.news, self._wanted
        before, instants = state.history.since(min(news))
        state.history.news, steps, late = {}, [], []
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

    def from_here(self, state, stamp):
        """Pass all instants since a stamp [ns], at which the run has been put.

        Returns the Steps to publish: the newest one.
        """
        begin, now = time.perf_counter(), None
        _, instants = state.history.since(stamp)
        self.begin(state, stamp - 1)
        for now in instants:
            innovation = self._run.pass_by(state, now.stamp, now.readings)
            self.passed(state, now.stamp, now.readings)
        if now is None or innovation is None:
            return []
        step = self._run.step_here(state, now.stamp, innovation, begin, ())
        return [] if step is None else [step]


def require_rewindable(estimator, settings):
    """Raise FilterError unless a filter can go back as StreamSettings ask for."""
    if settings.interpolate:
        raise FilterError('history_length: must be 0 with interpolate, whose lines need all '
                          'readings in order')
    if not isinstance(estimator, Rewindable):
        raise FilterError(f'history_length: must be 0, {type(estimator).__name__} has no memory to '
                          'go back to')
