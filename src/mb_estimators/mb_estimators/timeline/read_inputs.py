"""Known forces that were measured: each counts at its stamp, the others on lines in between."""

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from mb_estimators.state import state_class
from mb_estimators.timeline.inputs import HeldInputs
from mb_model.arrays import FloatArray

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
        place = bisect_left(self.stamps, stamp)
        if place == len(self.stamps):
            return self.values[-1] if self.values else None
        if self.stamps[place] == stamp:
            return self.values[place]
        if place == 0:
            return None
        before, t = self.values[place - 1], self.stamps[place - 1]
        change = (stamp - t) / (self.stamps[place] - t) * (self.values[place] - before)
        return np.asarray(before + change)

    def acts_from(self, stamp: int) -> int:
        """See HeldInputs: from the one before on, by the line between the two."""
        place = bisect_left(self.stamps, stamp)
        return self.stamps[place - 1] if place > 0 else stamp

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
