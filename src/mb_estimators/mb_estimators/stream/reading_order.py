"""Readings of several sensors brought into the order of their stamps."""

from collections.abc import Iterator, Mapping
from typing import Any

from mb_estimators.stream.interpolation import Interpolation
from mb_estimators.stream.stream_state import OrderState, Source, Suspect, Verdict
from mb_estimators.watches.trust import longest_silence
from mb_sensors import NANOSECONDS

_JUMP = 10     # readings in a row with stamps elsewhere that are believed
_INPUTS = 1000      # that may come with them
_KEPT = 10_000      # readings of a sensor that may come again when a process goes on from a file


class ReadingOrder:
    """Holds readings back until older ones are no longer expected.

    An instant is complete when every sensor has sent a stamp that late, or when it is older than
    the newest stamp by more than the reorder window.  Both follow from the readings alone, so that
    the same readings always come out in the same groups.

    Stamps are elsewhere if they are far ahead of everything known, or too old to be of use and
    older than their own sensor's last one.  If ten readings in a row are elsewhere together, each
    sensor's in order, the clock has jumped, as it does when a bag is played again.

    longest_gap [ns].
    """

    def __init__(self, rates: Mapping[str, float], reorder_window: float = 1.0,
                 longest_gap: float = 10.0, history_length: float = 0.0) -> None:
        """Set up for sensors by name with their rates [Hz]; window and gap [s].

        history_length [s]: readings that are too late, but not older than this, are of use; if it
        is above 0, their sensors are not waited for, and each may send its own in any order.
        """
        self._rates = dict(rates)
        self._silences = {name: longest_silence(rate) for name, rate in rates.items()}
        self._takes_late = history_length > 0.0
        self._history = round(history_length * NANOSECONDS)
        self._window = round(reorder_window * NANOSECONDS)
        self.longest_gap = round(longest_gap * NANOSECONDS)

    def new_state(self, start: int | None = None,
                  lines: dict[str, Interpolation] | None = None) -> OrderState:
        """Return the OrderState before all readings; start [ns]; lines: see OrderState."""
        sources = {name: Source.of(rate) for name, rate in self._rates.items()}
        return OrderState(sources, -1 if start is None else start - 1, start, lines=lines)

    def resume(self, state: OrderState, saved: OrderState) -> None:
        """Continue from an OrderState that has ended; readings that waited then must come again.

        Used readings may come again first, and later ones sensor by sensor: the order waits for
        each, no longer than longest_gap, until all have caught up.
        """
        state.released, state.newest, state.missing = saved.released, saved.newest, saved.missing
        for name, before in saved.sources.items():
            if before.oldest is not None and before.oldest <= state.released:
                source = state.sources[name]
                source.oldest, source.newest = before.oldest, min(before.newest, state.released)
        if state.newest is not None:
            state.known = dict.fromkeys(saved.sources, _KEPT)
            state.catch_up_until = state.newest + self.longest_gap

    def switch(self, state: OrderState, sensor: str, on: bool) -> None:
        """Wait for a sensor, or drop it and its waiting readings."""
        if on:
            state.sources[sensor] = Source.of(self._rates[sensor])
            return
        del state.sources[sensor]
        for readings in state.waiting.values():
            readings.pop(sensor, None)
        state.waiting = {stamp: readings for stamp, readings in state.waiting.items() if readings}

    def leave_out_before(self, state: OrderState, stamp: int) -> None:
        """Release nothing that is older than a stamp [ns] any more."""
        state.released = max(state.released, stamp - 1)
        state.newest = stamp if state.newest is None else max(stamp, state.newest)
        state.waiting = {s: readings for s, readings in state.waiting.items() if s >= stamp}

    def add(self, state: OrderState, sensor: str, stamp: int, values: Any) -> Verdict | None:
        """Add a reading of a known sensor at a stamp [ns]; return a Verdict, None if kept."""
        source = state.sources[sensor]
        if state.known and state.known.get(sensor):
            if stamp <= state.released:
                state.known[sensor] -= 1
                return Verdict.KNOWN
            del state.known[sensor]
        if self.is_far_ahead(state, stamp):
            return self._suspect(state, Suspect(Verdict.TOO_FAR, sensor, stamp, values))
        if source.newest is not None and stamp <= source.newest:
            if self._withdraws_first(state, sensor, stamp):
                return Verdict.FIRST_DENIED
            verdict = self._add_old(state, sensor, stamp, values)
            if self._is_far_behind(state, stamp):
                return self._suspect(state, Suspect(verdict, sensor, stamp, values))
            state.suspects = []
            return verdict
        state.suspects = []
        if source.newest is None:
            source.oldest = stamp
        elif stamp - source.newest > source.soon:
            state.missing += source.missing_between(source.newest, stamp)
        source.newest, is_over = stamp, stamp <= state.released
        source.is_late = self._takes_late and is_over
        if state.newest is None or stamp > state.newest:
            state.newest = stamp
        if state.lines:
            for at, value in state.lines[sensor].add(stamp, values):
                if at > state.released:
                    _keep(state, at, sensor, value)
        elif not is_over:
            _keep(state, stamp, sensor, values)
        return Verdict.TOO_LATE if is_over else None

    def _withdraws_first(self, state: OrderState, sensor: str, stamp: int) -> bool:
        """Drop a sensor's only reading so far if its next stamp [ns] and other sensors deny it.

        There was nothing to compare the first with; the next one agrees with the others.
        """
        source, gap = state.sources[sensor], self.longest_gap
        others = [other.newest for other in state.sources.values()
                  if other is not source and other.newest is not None
                  and not (other.is_alone and other.newest > stamp + gap)]     # a lie itself
        if not (source.is_alone and others and source.newest > max(others) + gap
                and stamp >= max(others) - gap):
            return False
        readings = state.waiting.get(source.newest, {})
        readings.pop(sensor, None)
        if not readings:
            state.waiting.pop(source.newest, None)
        if state.lines:
            state.lines[sensor].forget()
        state.sources[sensor] = Source.of(source.rate)
        state.newest = max(others)
        return True

    def _suspect(self, state: OrderState, suspect: Suspect) -> Verdict | None:
        """Note a reading elsewhere; return its Verdict, or CLOCK_JUMP."""
        suspects, sensor, stamp = state.suspects, suspect.sensor, suspect.stamp
        if suspects and (
                abs(stamp - suspects[-1].stamp) > self.longest_gap
                or any(s.sensor == sensor and s.stamp >= stamp for s in suspects)):
            state.suspects = suspects = []
        suspects.append(suspect)
        jumped = sum(s.sensor is not None for s in suspects) >= _JUMP
        return Verdict.CLOCK_JUMP if jumped else suspect.verdict

    def suspect_input(self, state: OrderState, stamp: int, values: Any) -> None:
        """Note inputs at a stamp [ns] elsewhere, as readings may follow there."""
        verdict = (Verdict.TOO_FAR if self.is_far_ahead(state, stamp)
                   else Verdict.TOO_LATE if self._is_far_behind(state, stamp) else None)
        if verdict and len(state.suspects) < _INPUTS:
            state.suspects.append(Suspect(verdict, None, stamp, values))

    def _add_old(self, state: OrderState, sensor: str, stamp: int, values: Any) -> Verdict | None:
        """Add a reading older than the sensor's newest one; return as `add` does."""
        if not self._takes_late or sensor in state.waiting.get(stamp, ()):
            return Verdict.NOT_NEWER
        if stamp <= state.released:
            return Verdict.TOO_LATE
        self.no_longer_misses(state, sensor, stamp)
        _keep(state, stamp, sensor, values)
        return None

    def no_longer_misses(self, state: OrderState, sensor: str, stamp: int) -> None:
        """Count a useful late reading as not missing."""
        source = state.sources[sensor]
        if stamp < source.oldest:
            state.missing += source.missing_between(stamp, source.oldest)
            source.oldest = stamp
        elif source.oldest < stamp < source.newest:
            state.missing = max(0, state.missing - 1)

    def expects_late(self, state: OrderState, stamp: int) -> bool:
        """Return whether another sensor that is late is about to send its reading of a stamp [ns].
        """
        return any(source.is_late and stamp - self._window <= source.newest < stamp
                   for source in state.sources.values())

    def is_far_ahead(self, state: OrderState, stamp: int) -> bool:
        """Return whether a stamp [ns] is implausibly far ahead of everything known."""
        return state.newest is not None and stamp > state.newest + self.longest_gap

    def _is_far_behind(self, state: OrderState, stamp: int) -> bool:
        """Return whether a stamp [ns] is older than any that can be of use."""
        return state.newest is not None and stamp < state.newest - max(self._window, self._history)

    def complete(self, state: OrderState, inputs_until: int | None = None,
                 ) -> Iterator[tuple[int, dict[str, Any]]]:
        """Release the complete instants: yield (stamp, {sensor: values}), oldest first.

        inputs_until: stamp [ns] up to which inputs are known, where instants wait for them.
        """
        if not state.waiting:
            return
        watermark = self._watermark(state)
        if inputs_until is not None and state.newest is not None:
            watermark = min(watermark, max(inputs_until, state.newest - self._window))
        for stamp in sorted([s for s in state.waiting if s <= watermark]):
            state.released = stamp
            yield stamp, state.waiting.pop(stamp)

    def silent(self, state: OrderState) -> list[str]:
        """Return the names of sensors that are behind the newest for too long.

        That is by more than the window, and than good sensors of their rates may be silent.
        """
        if state.newest is None:
            return list(state.sources)
        return [name for name, source in state.sources.items()
                if source.newest is None
                or source.newest < state.newest - max(self._window, self._silences[name])]

    def _have_caught_up(self, state: OrderState) -> bool:
        """Return whether all sensors are behind the newest by no more than the window."""
        return not state.known and all(self.is_current(state, source.newest)
                                       for source in state.sources.values())

    def behind(self, state: OrderState, stamp: int) -> list[str]:
        """Return the names of the sensors that an instant of a stamp [ns] waits for."""
        return [name for name, source in state.sources.items() if not source.is_late
                and (source.newest is None or source.newest < stamp)]

    def is_current(self, state: OrderState, stamp: int | None) -> bool:
        """Return whether a stamp [ns], or None, is behind the newest by no more than the window."""
        return state.newest is None or (
            stamp is not None and stamp >= state.newest - self._window)

    def _watermark(self, state: OrderState) -> int:
        """Return the stamp [ns] up to which all instants are complete."""
        if state.newest is None:
            return -1
        if state.catch_up_until is not None and (
                state.newest > state.catch_up_until or self._have_caught_up(state)):
            state.catch_up_until = None
        waited_for = state.newest - (
            self._window if state.catch_up_until is None else self.longest_gap)
        slowest = None
        for source in state.sources.values():
            if not source.is_late:
                if source.newest is None:
                    return waited_for
                if slowest is None or source.newest < slowest:
                    slowest = source.newest
        return waited_for if slowest is None else max(waited_for, slowest)


def _keep(state: OrderState, stamp: int, sensor: str, values: Any) -> None:
    """Let a reading wait until its instant is complete."""
    readings = state.waiting.get(stamp)
    if readings is None:
        state.waiting[stamp] = {sensor: values}
    else:
        readings[sensor] = values
