"""From stamped readings, in any order, to estimates."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.filter import Estimate, Filter
from mb_estimators.state import copied
from mb_estimators.stream.intake import IntakeState
from mb_estimators.stream.reading_feed import ReadingFeed
from mb_estimators.stream.step import Step
from mb_estimators.stream.stream_settings import StreamSettings
from mb_estimators.stream.stream_state import StreamState
from mb_estimators.timeline import seconds
from mb_estimators.watches.gating import GateSettings
from mb_model import require_sensible
from mb_sensors import NANOSECONDS, Sensor


class EstimateStream(ReadingFeed):
    """Feeds a filter with the readings of its sensors.

    The estimates are a function of the stamped readings alone: not of the time or, within the
    reorder window, the order of arrival.  Readings of past instants within the history correct
    these and all later ones: the estimates after them are as if all had come in order.  Impossible
    readings are counted, reported, left out.  Requests of users (enable, set_state, reset, retune)
    hold from the next instant on.

    All changing data are in `state`, a StreamState.
    """

    def enable(self, sensor: str, on: bool) -> list[Step]:
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

    def reset(self) -> None:
        """Put the filter at its initial state, to hold at the next reading, whatever its stamp."""
        self._start(None)

    def begin_again(self) -> list[Step]:
        """Restart because the clock has gone back; return Steps of readings since then."""
        return self._start_with(self.state.order.suspects)

    def set_state(self, z: ArrayLike, zd: ArrayLike, covariance: ArrayLike | None = None,
                  stamp: int | None = None) -> list[Step]:
        """Put the filter at z, zd (g) with a covariance of its states, default its settings'.

        stamp [ns]: at which the state holds; readings before it are no longer used, later ones
        within the history are used again; None: at the next instant.
        Returns the Steps to publish.  Raises ValueError and changes nothing for impossible states.
        """
        state, again = self.state, None
        now = state.run.now
        if now is not None and self._run.is_timed:
            raise ValueError('the state cannot be set once the estimate moves: coordinates are '
                             'prescribed over time')
        if stamp is not None and now is not None and stamp < now:
            again = self._replay if state.history and state.history.reaches(stamp) else None
            if again is None:
                raise ValueError(f'stamp: {seconds(stamp)} is before the present estimate, of '
                                 f'{seconds(now)}, and before the history')
        if stamp is not None and self._order.is_far_ahead(state.order, stamp):
            raise ValueError(f'stamp: {seconds(stamp)} is implausibly far ahead')
        z, zd = (_checked(*given, len(self._initial[0])) for given in (('z', z), ('zd', zd)))
        self._run.require_possible((z, zd, covariance))
        self._run.start(state.run, (z, zd, covariance), stamp)
        if again is not None:
            return again.from_here(state, stamp)
        if stamp is not None:
            self._order.leave_out_before(state.order, stamp)
        self._begin_history(state.order.released)
        return []

    def retune(self, estimator: Filter, sensors: Sequence[Sensor], settings: StreamSettings,
               gates: Mapping[str, GateSettings]) -> None:
        """Continue with another filter, in the same state, and other settings, as for set-up.

        dt, start_time, history_length, interpolate stay as they are.  The history before the
        present is dropped.  Raises FilterError and changes nothing if that is impossible.
        """
        self._set_up(estimator, sensors, settings, gates)
        self._run.take_over(self.state.run)
        self._begin_history(self.state.order.released)

    def resume(self, saved: object) -> None:
        """Continue from the state of a stream like this one, by its `to_go_on_from`.

        Readings that waited then, and later ones, must come again; used ones may.
        Raises TypeError for anything else.
        """
        if not isinstance(saved, StreamState):
            raise TypeError(f'{type(saved).__name__} is no state of a stream')
        state, kept = self.state, copied(saved)
        state.intake = IntakeState(kept.intake.counts, kept.intake.switches)
        since = dict(kept.intake.switches.last)
        self._start(None)
        state.intake.switches.last = since
        state.missing_before = kept.missing_before
        self._run.go_back(state.run, kept.run)
        self._order.resume(state.order, kept.order)
        state.inputs = kept.inputs
        self._begin_history(state.order.released)

    def predicted(self, stamp: int) -> Estimate | None:
        """Return the Estimate of a stamp [ns] from the present state, which is kept.

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
