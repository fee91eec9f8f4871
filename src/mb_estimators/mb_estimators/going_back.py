"""Late readings put where they belong: back to before them, and on again."""

import time

from mb_estimators.filter import FilterError
from mb_estimators.filter_run import LateReading
from mb_estimators.history import History


class GoingBack:
    """Takes a FilterRun back to before late readings and through all instants since."""

    def __init__(self, run, settings, tell):
        """Set up for a FilterRun; settings: StreamSettings; tell: as that of EstimateStream."""
        self._run, self._settings, self._tell = run, settings, tell

    def begin(self, stamp):
        """Forget all up to a stamp [ns]; the run is where it goes on from."""
        self._history = History(self._settings.history_length, stamp, self._run.remember())
        self._news = {}         # stamp -> sensors with a late reading

    @property
    def oldest(self):
        """The stamp [ns] of what is before all that can be gone back to."""
        return self._history.oldest

    @property
    def oldest_memory(self):
        """What the run has remembered then."""
        return self._history.oldest_memory

    @property
    def has_news(self):
        """Whether there is something to go back to."""
        return bool(self._news)

    def reaches(self, stamp):
        """Tell whether a stamp [ns] is not too long ago."""
        return self._history.reaches(stamp)

    def has(self, sensor, stamp):
        """Tell whether there is a reading of a sensor at a stamp [ns]."""
        return self._history.has(sensor, stamp)

    def passed(self, stamp, readings):
        """Note an instant that the run has just passed."""
        self._history.append(stamp, readings, self._run.remember())

    def add(self, sensor, stamp, values):
        """Put a reading of an instant that is over where it belongs."""
        self._history.add_late(sensor, stamp, values)
        self._news.setdefault(stamp, []).append(sensor)

    def add_input(self, stamp):
        """Note an input that acts from a stamp [ns] on, which is over."""
        self._news.setdefault(stamp + 1, [])

    def again(self):
        """Go back to before the oldest news and through all since; return the Steps to put out."""
        begin, news = time.perf_counter(), self._news
        wanted = self._settings.late_estimates
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
                step = self._run.told(stamp, innovation, begin, ())
                if step is not None:
                    steps.append(step)
        if steps:
            steps[0] = steps[0]._replace(late=tuple(late))
        return steps

    def from_here(self, stamp):
        """From where the run has been put, at a stamp [ns], pass all instants since then.

        Returns the Steps to put out: the newest one.
        """
        begin, now = time.perf_counter(), None
        _, instants = self._history.since(stamp)
        self.begin(stamp - 1)
        for now in instants:
            innovation = self._run.pass_by(now.stamp, now.readings)
            self.passed(now.stamp, now.readings)
        if now is None or innovation is None:
            return []
        step = self._run.told(now.stamp, innovation, begin, ())
        return [] if step is None else [step]


def require_memory(estimator, settings):
    """Raise FilterError unless a filter can go back as StreamSettings ask for."""
    if settings.interpolate:
        raise FilterError('history_length: must be 0 with interpolate, whose lines need all '
                          'readings in order')
    if not hasattr(estimator, 'remember'):
        raise FilterError(f'history_length: must be 0, {type(estimator).__name__} has no memory to '
                          'go back to')
