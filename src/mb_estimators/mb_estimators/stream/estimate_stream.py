"""From stamped readings, in whatever order they come, to estimates."""

import numpy as np

from mb_estimators.state import copied
from mb_estimators.stream.intake import IntakeState
from mb_estimators.stream.reading_feed import ReadingFeed
from mb_estimators.stream.stream_state import StreamState
from mb_estimators.timeline import seconds
from mb_model.sensible import require_sensible
from mb_sensors import NANOSECONDS


class EstimateStream(ReadingFeed):
    """Feeds a filter with the readings of its sensors.

    The estimates are a function of the stamped readings alone: not of the time or, within the
    reorder window, the order in which they come.  Readings of instants that are over, but within
    the history, correct these, and all since: the estimates after them are those of readings that
    came in order.  Impossible ones are counted, reported, left out.  What users ask for in between
    (enable, set_state, reset, retune) holds from the next instant on.

    All that changes as it goes on is in `state`, a StreamState.
    """

    def enable(self, sensor, on):
        """Use the readings of a sensor from the next instant on, or ignore them.

        Returns the Steps that this completes.  Raises ValueError for an unknown sensor.
        """
        self._intake.require_known(sensor)
        if on == (sensor not in self.off):
            return []
        state = self.state
        self._intake.turn(state.intake, sensor, on, state.order.released)
        self._order.switch(state.order, sensor, on)
        state.run.trust.forget(sensor)
        return self._complete()

    def reset(self):
        """Put the filter at its initial state, to hold at the next reading, whatever its stamp."""
        self._start(None)

    def begin_again(self):
        """Be as after the start, because the clock has gone back; return Steps of what has come."""
        return self._start_with(self.state.order.suspects)

    def set_state(self, z, zd, covariance=None, stamp=None):
        """Put the filter at z, zd (g) with a covariance of its states, or that of its settings.

        stamp [ns]: at which that holds; readings before it are no longer used, those since then,
        within the history, are used again; None: at the next instant.
        Returns the Steps to put out.  Raises ValueError and changes nothing for what is impossible.
        """
        state, again = self.state, False
        now = state.run.now
        if now is not None and self._run.is_timed:
            raise ValueError('the state cannot be set once the estimate moves: coordinates are '
                             'prescribed over time')
        if stamp is not None and now is not None and stamp < now:
            again = state.history and state.history.reaches(stamp)
            if not again:
                raise ValueError(f'stamp: {seconds(stamp)} is before the present estimate, of '
                                 f'{seconds(now)}, and before the history')
        if stamp is not None and self._order.is_far_ahead(state.order, stamp):
            raise ValueError(f'stamp: {seconds(stamp)} is implausibly far ahead')
        z, zd = (_checked(*given, len(self._initial[0])) for given in (('z', z), ('zd', zd)))
        self._run.require_possible((z, zd, covariance))
        self._run.start(state.run, (z, zd, covariance), stamp)
        if again:
            return self._replay.from_here(state, stamp)
        if stamp is not None:
            self._order.leave_out_before(state.order, stamp)
        self._begin_history(state.order.released)
        return []

    def retune(self, estimator, sensors, settings, gates):
        """Go on with another filter, in the same state, and other settings, as set up with.

        dt, start_time, history_length, interpolate stay as they are.  What is before the present
        can no longer be gone back to.  Raises FilterError and changes nothing for what cannot be.
        """
        self._set_up(estimator, sensors, settings, gates)
        self._run.take_over(self.state.run)
        self._begin_history(self.state.order.released)

    def resume(self, saved):
        """Go on from what the state of a stream like this one says `to_go_on_from`.

        What had waited then, and has come since, has to come again; what it had used may.
        Raises TypeError for anything else.
        """
        if not isinstance(saved, StreamState):
            raise TypeError(f'{type(saved).__name__} is no state of a stream')
        state, saved = self.state, copied(saved)
        state.intake = IntakeState(saved.intake.counts, saved.intake.switches)
        since = dict(saved.intake.switches.last)
        self._start(None)
        state.intake.switches.last = since
        state.missing_before = saved.missing_before
        self._run.go_back(state.run, saved.run)
        self._order.resume(state.order, saved.order)
        state.inputs = saved.inputs
        self._begin_history(state.order.released)

    def predicted(self, stamp):
        """Return the Estimate of a stamp [ns] by what is known so far, which stays as it is.

        None before the first reading, for the past, longer than sensor_timeout after the last
        reading, twice longest_gap after the last instant, and if the filter cannot get there.
        """
        newest, longest = self.newest, self._settings.sensor_timeout
        if (newest is None or stamp > newest + round(longest * NANOSECONDS)
                or self._is_cut_off(stamp)):
            return None
        return self._run.predicted(self.state, stamp)


def _checked(name, values, count):
    """Return values as an array (count).  Raises ValueError."""
    values = np.array(values, dtype=np.float64)
    if values.shape != (count,):
        raise ValueError(f'{name}: {values.size} values, expected {count}')
    return require_sensible(name, values)
