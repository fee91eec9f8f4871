"""Times in whole nanoseconds: stamps in words, inputs over time, predictions between stamps."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import lru_cache
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.filter import Acting
from mb_estimators.state import state_class
from mb_model.arrays import FloatArray
from mb_sensors import NANOSECONDS


def seconds(stamp: float) -> str:
    """Return a stamp [ns] in words."""
    return f'{stamp / NANOSECONDS:.6f} s'


@state_class
class HeldInputs:
    """Inputs (u), each held from its stamp on until the next one; none before the first.

    stamps (k) [ns], increasing; values: inputs (k, u).
    """

    stamps: list[int] = field(default_factory=list)
    values: list[np.ndarray] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.stamps = [int(stamp) for stamp in self.stamps]
        self.values = [np.array(row, dtype=np.float64) for row in self.values]
        if len(self.stamps) != len(self.values):
            raise ValueError(f'{len(self.stamps)} stamps for {len(self.values)} inputs')
        if any(b <= a for a, b in zip(self.stamps, self.stamps[1:], strict=False)):
            raise ValueError('stamps of inputs must increase')

    @property
    def newest(self) -> int | None:
        """The last stamp [ns], None if there is none."""
        return self.stamps[-1] if self.stamps else None

    def add(self, stamp: int, values: ArrayLike) -> None:
        """Add inputs (u) from a stamp [ns] on; others of this stamp are replaced."""
        index = bisect_right(self.stamps, stamp)
        if index > 0 and self.stamps[index - 1] == stamp:
            self.values[index - 1] = np.array(values, dtype=np.float64)
            return
        self.stamps.insert(index, stamp)
        self.values.insert(index, np.array(values, dtype=np.float64))

    def between(self, start: int, stop: int) -> Iterator[tuple[int, FloatArray | None]]:
        """Yield (duration [ns], mean inputs or None) of the times from start to stop [ns].

        They are in order, and none goes beyond a stamp.
        """
        index = bisect_right(self.stamps, start)
        while start < stop:
            end = min(stop, self.stamps[index]) if index < len(self.stamps) else stop
            yield end - start, self._mean(start, end)
            start, index = end, index + 1

    def parts(self, start: int, gap: int, mean: FloatArray | None,
              count: int) -> Sequence[FloatArray | None]:
        """Return the means of equal parts of a gap [ns] from start on, as `between` yields it."""
        return count * [mean]

    def at(self, stamp: int) -> FloatArray | None:
        """Return inputs (u) that are to act anew at a stamp [ns]: None, they hold by themselves."""
        return None

    def acts_from(self, stamp: int) -> int:
        """Return the stamp [ns] from which on inputs of a stamp make a difference."""
        return stamp

    def forget_before(self, stamp: int) -> None:
        """Forget what no longer holds at a stamp [ns]."""
        last = bisect_right(self.stamps, stamp) - 1
        if last > 0:
            del self.stamps[:last], self.values[:last]

    def _mean(self, start: int, end: int) -> FloatArray | None:
        """Return the mean (u) over a time between two stamps, None where it is not known."""
        index = bisect_right(self.stamps, start)
        return self.values[index - 1] if index > 0 else None


COMMANDS, READINGS = 'commands', 'readings'
COMMANDED = 'drive_torques'         # end of the name of a topic that a controller commands by


@state_class
class ReadInputs(HeldInputs):
    """Inputs (u), each measured at its stamp, on straight lines in between; none before the first.

    The last one holds until the next one is known.
    """

    def parts(self, start: int, gap: int, mean: FloatArray | None,
              count: int) -> Sequence[FloatArray | None]:
        """See HeldInputs: on a line."""
        first, last = self.at(start), self.at(start + gap)
        if mean is None or first is None or last is None or count == 1:
            return count * [mean]
        return [first + (k + 0.5) / count * (last - first) for k in range(count)]

    def at(self, stamp: int) -> FloatArray | None:
        """Return the inputs (u) at a stamp [ns], None before the first."""
        index = bisect_left(self.stamps, stamp)
        if index == len(self.stamps):
            return self.values[-1] if self.values else None
        if self.stamps[index] == stamp:
            return self.values[index]
        if index == 0:
            return None
        before, t = self.values[index - 1], self.stamps[index - 1]
        change = (stamp - t) / (self.stamps[index] - t) * (self.values[index] - before)
        return np.asarray(before + change)

    def acts_from(self, stamp: int) -> int:
        """See HeldInputs: from the one before on, by the line between the two."""
        index = bisect_left(self.stamps, stamp)
        return self.stamps[index - 1] if index > 0 else stamp

    def _mean(self, start: int, end: int) -> FloatArray | None:
        """See HeldInputs: on a line, None where its begin is not known."""
        first, last = self.at(start), self.at(end)
        return None if first is None or last is None else 0.5 * (first + last)


def inputs_class(topic: str, torques_are: str = '') -> type[HeldInputs]:
    """Return how the forces on a topic act: HeldInputs or ReadInputs.

    torques_are: COMMANDS, held from their stamps on; READINGS, measured at their stamps; empty:
    commands on a topic drive_torques, else readings.
    """
    commanded = torques_are == COMMANDS or (
        not torques_are and topic.rpartition('/')[2] == COMMANDED)
    return HeldInputs if commanded else ReadInputs


_SAME_STEP = 1e-3       # part of a step by which stamps may stray without an extra step


@lru_cache(maxsize=64)      # the same gap comes again and again
def even_steps(gap: int, dt: float) -> tuple[int, float]:
    """Return how many equal steps a gap [ns] > 0 takes, none longer than dt [s]; and their [s]."""
    count = max(1, ceil(gap / NANOSECONDS / dt - _SAME_STEP))
    return count, gap / NANOSECONDS / count


def steps_between(start: int, stop: int, dt: float, inputs: HeldInputs,
                  ) -> Iterator[tuple[float, FloatArray | None]]:
    """Yield (duration [s], mean inputs or None) of the steps from start to stop [ns].

    None is longer than dt [s], and none goes beyond a stamp of the inputs.
    """
    for gap, mean in inputs.between(start, stop):
        count, step = even_steps(gap, dt)
        for part in inputs.parts(start, gap, mean, count):
            yield step, part
        start += gap


def predict_between(filter_: Any, start: int, stop: int, dt: float,
                    inputs: HeldInputs) -> None:
    """Predict from start to stop [ns] under HeldInputs, in steps none longer than dt [s]."""
    for step, mean in steps_between(start, stop, dt, inputs):
        filter_.predict(step, mean)
    arrive(filter_, stop, inputs)


def arrive(filter_: Any, stop: int, inputs: HeldInputs) -> None:
    """Let the inputs of a stamp [ns], up to which a filter was predicted, act on what it is at."""
    now = inputs.at(stop)
    if now is not None and isinstance(filter_, Acting):
        filter_.act(now)
