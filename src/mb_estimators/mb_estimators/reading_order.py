"""Readings of several sensors brought into the order of their stamps."""

from dataclasses import dataclass
from enum import Enum, auto
import math
from typing import Any, NamedTuple

from mb_sensors.sampling import NANOSECONDS

_JUMP = 10     # readings in a row with stamps elsewhere that are believed
_INPUTS = 1000      # that may come with them
_SOON = 1.25        # periods between two readings, at which none is missing yet
_KEPT = 10_000      # readings of a sensor that may come again when a process goes on from a file


class Verdict(Enum):
    """Why a reading was not kept for its instant."""

    NOT_NEWER = auto()      # its sensor has sent this stamp or a later one before
    TOO_LATE = auto()       # the instant has been estimated already
    KNOWN = auto()          # it has been used, before the process went on from a file
    TOO_FAR = auto()        # implausibly far ahead of everything known
    CLOCK_JUMP = auto()     # so many elsewhere that the clock must have jumped: start anew
    FIRST_DENIED = auto()   # its sensor's first stamp was a lie, which is withdrawn: add it again


class Suspect(NamedTuple):
    """What has come with a stamp [ns] elsewhere, and what became of it; sensor: None for inputs."""

    verdict: Verdict | None
    sensor: str | None
    stamp: int
    values: Any


@dataclass(slots=True)
class _Source:
    """The stamps of one sensor [ns], its oldest and its newest."""

    rate: float
    soon: float                 # between two that miss none
    oldest: int | None = None
    newest: int | None = None
    is_late: bool = False       # its last reading came after its instant, and is of use

    @property
    def is_alone(self):
        """Whether there is one stamp so far."""
        return self.oldest is not None and self.oldest == self.newest

    def missing_between(self, stamp, next_stamp):
        """Return how many readings there should have been between two."""
        periods = (next_stamp - stamp) / NANOSECONDS * self.rate
        return max(0, math.floor(periods + 0.5) - 1)


def _source(rate):
    """Return the _Source of a sensor with a rate [Hz], of which nothing has come."""
    return _Source(rate, _SOON * NANOSECONDS / rate)


class ReadingOrder:
    """Holds readings back until no older ones can be expected.

    An instant is complete when every sensor has sent a stamp that late, or when it is older than
    the newest stamp by more than the reorder window.  Both follow from the readings alone, so that
    the same readings always come out in the same groups.

    Stamps are elsewhere if they are far ahead of everything known, or too old to be of use and
    older than their own sensor's last one.  If ten readings in a row are elsewhere together, each
    sensor's in order, the clock has jumped, as it does when a bag is played again.

    released: stamp [ns] of the last instant, -1 before the first; newest: the newest of all stamps;
    missing: how many readings are, by the gaps; suspects: what has come elsewhere in a row.
    """

    def __init__(self, rates, start=None, reorder_window=1.0, longest_gap=10.0, lines=None,
                 history_length=0.0):
        """Set up for sensors by name with their rates [Hz]; start [ns]; window and gap [s].

        lines: the Interpolation of each sensor by name, None for the readings as they are.
        history_length [s]: readings that are too late, but not older than this, are of use; if it
        is above 0, their sensors are not waited for, and each may send its own in any order.
        """
        self._goes_back, self._history = history_length > 0.0, round(history_length * NANOSECONDS)
        self._rates = dict(rates)
        self._sources = {name: _source(rate) for name, rate in rates.items()}
        self._waiting, self._lines = {}, lines
        self._known = {}                # sensor -> how many known ones may still come
        self._catch_up_until = None     # stamp; with readings that have waited for this process
        self.suspects = []
        self.released = -1 if start is None else start - 1
        self.newest = start
        self.missing = 0
        self.retune(reorder_window, longest_gap)

    def retune(self, reorder_window, longest_gap):
        """Go on with another window and gap [s]."""
        self._window = round(reorder_window * NANOSECONDS)
        self.longest_gap = round(longest_gap * NANOSECONDS)

    def remember(self, end):
        """Return what another process is to go on from, after a stamp [ns]."""
        return (end, self.newest, self.missing,
                {name: (source.oldest, source.newest) for name, source in self._sources.items()})

    def resume(self, memory):
        """Go on from what was remembered, but what waited then, which has to come again.

        Readings that have been used may come again first, and those since then sensor by sensor:
        each is waited for, no longer than longest_gap, until all have caught up.
        """
        self.released, self.newest, self.missing, sources = memory
        for name, (oldest, newest) in sources.items():
            if oldest is not None and oldest <= self.released:
                source = self._sources[name]
                source.oldest, source.newest = oldest, min(newest, self.released)
        if self.newest is not None:
            self._known = dict.fromkeys(sources, _KEPT)
            self._catch_up_until = self.newest + self.longest_gap

    def switch(self, sensor, on):
        """Wait for a sensor, or forget it and those of its readings that wait."""
        if on:
            self._sources[sensor] = _source(self._rates[sensor])
            return
        del self._sources[sensor]
        for readings in self._waiting.values():
            readings.pop(sensor, None)
        self._waiting = {stamp: readings for stamp, readings in self._waiting.items() if readings}

    def leave_out_before(self, stamp):
        """Release nothing that is older than a stamp [ns] any more."""
        self.released = max(self.released, stamp - 1)
        self.newest = stamp if self.newest is None else max(stamp, self.newest)
        self._waiting = {s: readings for s, readings in self._waiting.items() if s >= stamp}

    def add(self, sensor, stamp, values):
        """Take in a reading of a known sensor at a stamp [ns]; return a Verdict, None if kept."""
        source = self._sources[sensor]
        if self._known and self._known.get(sensor):
            if stamp <= self.released:
                self._known[sensor] -= 1
                return Verdict.KNOWN
            del self._known[sensor]
        if self.is_far_ahead(stamp):
            return self._suspect(Verdict.TOO_FAR, sensor, stamp, values)
        if source.newest is not None and stamp <= source.newest:
            if self._withdraws_first(sensor, stamp):
                return Verdict.FIRST_DENIED
            verdict = self._add_old(sensor, stamp, values)
            if self._is_far_behind(stamp):
                return self._suspect(verdict, sensor, stamp, values)
            self.suspects = []
            return verdict
        self.suspects = []
        if source.newest is None:
            source.oldest = stamp
        elif stamp - source.newest > source.soon:
            self.missing += source.missing_between(source.newest, stamp)
        source.newest, is_over = stamp, stamp <= self.released
        source.is_late = self._goes_back and is_over
        if self.newest is None or stamp > self.newest:
            self.newest = stamp
        if self._lines:
            for at, value in self._lines[sensor].add(stamp, values):
                if at > self.released:
                    self._keep(at, sensor, value)
        elif not is_over:
            self._keep(stamp, sensor, values)
        return Verdict.TOO_LATE if is_over else None

    def _withdraws_first(self, sensor, stamp):
        """Forget a sensor's only reading so far if its next stamp [ns] and other sensors deny it.

        Nothing was there to compare the first with; its next one goes with the others.
        """
        source, gap = self._sources[sensor], self.longest_gap
        others = [other.newest for other in self._sources.values()
                  if other is not source and other.newest is not None
                  and not (other.is_alone and other.newest > stamp + gap)]     # a lie itself
        if not (source.is_alone and others and source.newest > max(others) + gap
                and stamp >= max(others) - gap):
            return False
        readings = self._waiting.get(source.newest, {})
        readings.pop(sensor, None)
        if not readings:
            self._waiting.pop(source.newest, None)
        if self._lines:
            self._lines[sensor].forget()
        self._sources[sensor] = _source(source.rate)
        self.newest = max(others)
        return True

    def _keep(self, stamp, sensor, values):
        """Let a reading wait until its instant is complete."""
        readings = self._waiting.get(stamp)
        if readings is None:
            self._waiting[stamp] = {sensor: values}
        else:
            readings[sensor] = values

    def _suspect(self, verdict, sensor, stamp, values):
        """Note a reading elsewhere; return its Verdict, or CLOCK_JUMP."""
        if self.suspects and (
                abs(stamp - self.suspects[-1].stamp) > self.longest_gap
                or any(s.sensor == sensor and s.stamp >= stamp for s in self.suspects)):
            self.suspects = []
        self.suspects.append(Suspect(verdict, sensor, stamp, values))
        jumped = sum(s.sensor is not None for s in self.suspects) >= _JUMP
        return Verdict.CLOCK_JUMP if jumped else verdict

    def suspect_input(self, stamp, values):
        """Note inputs at a stamp [ns], if that is elsewhere, for what may come with it."""
        verdict = (Verdict.TOO_FAR if self.is_far_ahead(stamp)
                   else Verdict.TOO_LATE if self._is_far_behind(stamp) else None)
        if verdict and len(self.suspects) < _INPUTS:
            self.suspects.append(Suspect(verdict, None, stamp, values))

    def _add_old(self, sensor, stamp, values):
        """Take in a reading older than the sensor's newest one; return as `add` does."""
        if not self._goes_back or sensor in self._waiting.get(stamp, ()):
            return Verdict.NOT_NEWER
        if stamp <= self.released:
            return Verdict.TOO_LATE
        self.found(sensor, stamp)
        self._keep(stamp, sensor, values)
        return None

    def found(self, sensor, stamp):
        """Count a late reading that is of use as not missing."""
        source = self._sources[sensor]
        if stamp < source.oldest:
            self.missing += source.missing_between(stamp, source.oldest)
            source.oldest = stamp
        elif source.oldest < stamp < source.newest:
            self.missing = max(0, self.missing - 1)

    def expects_late(self, stamp):
        """Tell whether another sensor that is late is about to send its reading of a stamp [ns]."""
        return any(source.is_late and stamp - self._window <= source.newest < stamp
                   for source in self._sources.values())

    def is_far_ahead(self, stamp):
        """Tell whether a stamp [ns] is implausibly far ahead of everything known."""
        return self.newest is not None and stamp > self.newest + self.longest_gap

    def _is_far_behind(self, stamp):
        """Tell whether a stamp [ns] is older than any that can be of use."""
        return self.newest is not None and stamp < self.newest - max(self._window, self._history)

    def complete(self, inputs_until=None):
        """Release the complete instants: yield (stamp, {sensor: values}), oldest first.

        inputs_until: stamp [ns] up to which inputs are known, where instants wait for them.
        """
        if not self._waiting:
            return
        watermark = self._watermark()
        if inputs_until is not None and self.newest is not None:
            watermark = min(watermark, max(inputs_until, self.newest - self._window))
        for stamp in sorted([s for s in self._waiting if s <= watermark]):
            self.released = stamp
            yield stamp, self._waiting.pop(stamp)

    def silent(self):
        """Return the names of sensors that are behind the newest by more than the window."""
        if self.newest is None:
            return list(self._sources)
        return [name for name, source in self._sources.items()
                if source.newest is None or source.newest < self.newest - self._window]

    def _watermark(self):
        """Return the stamp [ns] up to which all instants are complete."""
        if self.newest is None:
            return -1
        if self._catch_up_until is not None and (
                self.newest > self._catch_up_until or not (self._known or self.silent())):
            self._catch_up_until = None
        waited_for = self.newest - (
            self._window if self._catch_up_until is None else self.longest_gap)
        slowest = None
        for source in self._sources.values():
            if not source.is_late:
                if source.newest is None:
                    return waited_for
                if slowest is None or source.newest < slowest:
                    slowest = source.newest
        return waited_for if slowest is None else max(waited_for, slowest)
