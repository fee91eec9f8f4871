"""Readings of several sensors brought into the order of their stamps."""

from dataclasses import dataclass
from enum import Enum, auto
import math

from mb_sensors.sampling import NANOSECONDS

_JUMP = 10     # implausible stamps in a row that are believed


class Verdict(Enum):
    """What became of a reading."""

    KEPT = auto()
    NOT_NEWER = auto()      # its sensor has sent this stamp or a later one before
    TOO_LATE = auto()       # the instant has been estimated already
    TOO_FAR = auto()        # implausibly far ahead of everything known
    CLOCK_JUMP = auto()     # so many far ahead that the clock must have jumped: start anew


@dataclass
class _Source:
    """The stamps of one sensor [ns], its oldest and its newest."""

    rate: float
    oldest: int | None = None
    newest: int | None = None
    is_late: bool = False       # its last reading came after its instant, and is of use

    def missing_between(self, stamp, next_stamp):
        """Return how many readings there should have been between two."""
        periods = (next_stamp - stamp) / NANOSECONDS * self.rate
        return max(0, math.floor(periods + 0.5) - 1)


class ReadingOrder:
    """Holds readings back until no older ones can be expected.

    An instant is complete when every sensor has sent a stamp that late, or when it is older than
    the newest stamp by more than the reorder window.  Both follow from the readings alone, so that
    the same readings always come out in the same groups.
    """

    def __init__(self, rates, start=None, reorder_window=1.0, longest_gap=10.0, lines=None,
                 goes_back=False):
        """Set up for sensors by name with their rates [Hz]; start [ns]; window and gap [s].

        lines: the Interpolation of each sensor by name, None for the readings as they are.
        goes_back: readings that are too late are of use; their sensors are not waited for, and each
        may send its own readings in any order.
        """
        self._goes_back = goes_back
        self._sources = {name: _Source(rate) for name, rate in rates.items()}
        self._window = round(reorder_window * NANOSECONDS)
        self._longest_gap = round(longest_gap * NANOSECONDS)
        self._waiting, self._lines = {}, lines
        self._too_far = 0
        self._released = -1 if start is None else start - 1
        self._newest = start
        self.missing = 0

    def add(self, sensor, stamp, values):
        """Take in a reading of a known sensor at a stamp [ns] and return a Verdict."""
        source = self._sources[sensor]
        if self.is_far_ahead(stamp):
            self._too_far += 1
            return Verdict.CLOCK_JUMP if self._too_far >= _JUMP else Verdict.TOO_FAR
        if source.newest is not None and stamp <= source.newest:
            return self._add_old(sensor, stamp, values)
        self._too_far = 0
        if source.newest is None:
            source.oldest = stamp
        else:
            self.missing += source.missing_between(source.newest, stamp)
        source.newest = stamp
        source.is_late = self._goes_back and stamp <= self._released
        self._newest = stamp if self._newest is None else max(stamp, self._newest)
        on_line = self._lines[sensor].add(stamp, values) if self._lines else [(stamp, values)]
        if stamp <= self._released:
            return Verdict.TOO_LATE
        for at, value in on_line:
            if at > self._released:
                self._waiting.setdefault(at, {})[sensor] = value
        return Verdict.KEPT

    def _add_old(self, sensor, stamp, values):
        """Take in a reading older than the sensor's newest one and return a Verdict."""
        if not self._goes_back or sensor in self._waiting.get(stamp, ()):
            return Verdict.NOT_NEWER
        if stamp <= self._released:
            return Verdict.TOO_LATE
        self.found(sensor, stamp)
        self._waiting.setdefault(stamp, {})[sensor] = values
        return Verdict.KEPT

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
        return self._newest is not None and stamp > self._newest + self._longest_gap

    def complete(self, inputs_until=None):
        """Release the complete instants: yield (stamp, {sensor: values}), oldest first.

        inputs_until: stamp [ns] up to which inputs are known, where instants wait for them.
        """
        if not self._waiting:
            return
        watermark = self._watermark()
        if inputs_until is not None and self._newest is not None:
            watermark = min(watermark, max(inputs_until, self._newest - self._window))
        for stamp in sorted(s for s in self._waiting if s <= watermark):
            self._released = stamp
            yield stamp, self._waiting.pop(stamp)

    def silent(self):
        """Return the names of sensors that are behind the newest by more than the window."""
        if self._newest is None:
            return list(self._sources)
        return [name for name, source in self._sources.items()
                if source.newest is None or source.newest < self._newest - self._window]

    def _watermark(self):
        """Return the stamp [ns] up to which all instants are complete."""
        if self._newest is None:
            return -1
        stamps = [source.newest for source in self._sources.values() if not source.is_late]
        waited_for = self._newest - self._window
        return waited_for if None in stamps else max(waited_for, min(stamps, default=waited_for))
