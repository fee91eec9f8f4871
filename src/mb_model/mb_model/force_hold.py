"""Forces on degrees of freedom that come in messages, each held until the next one."""

from bisect import insort
from dataclasses import dataclass
import math
from operator import itemgetter

import numpy as np

_LONGEST_QUEUE = 10_000     # messages of the future that are kept


@dataclass
class ForceCounts:
    """What became of the messages since the start."""

    used: int = 0
    rejected: int = 0
    late: int = 0           # of those used


class ForceHold:
    """Force on each degree of freedom at any time [ns], as a function of the stamps of messages.

    A message holds from its stamp on, with the stamp 0 from the next look on, and gives the forces
    of the degrees of freedom that it names; before the first one they are zero.  Messages may come
    ahead of their time, in any order; one that comes after it holds from the next look on, unless
    a newer one has come before.
    """

    def __init__(self, names, timeout=0.0):
        """Set up for the degrees of freedom named (g).

        timeout: how long a force holds [s]; 0: for ever.
        """
        self._names = list(names)
        self._timeout = round(1e9 * timeout)
        self.counts = ForceCounts()
        self.clear()

    def clear(self):
        """Forget all forces."""
        self._waiting = []          # (stamp, {place: force}) in the order of stamps
        self._forces = np.zeros(len(self._names))
        self._stamps = [None] * len(self._names)
        self._now = 0

    def add(self, stamp, names, forces):
        """Take in a message; return what is wrong with it, or an empty text."""
        problem = self._problem(names, forces)
        if problem:
            self.counts.rejected += 1
            return problem
        self.counts.used += 1
        self.counts.late += 0 < stamp < self._now
        insort(self._waiting, (stamp or self._now, {
            self._names.index(name): force for name, force in zip(names, forces, strict=True)}),
            key=itemgetter(0))
        return ''

    def at(self, time):
        """Return the forces (g) at a time [ns], not before that of the last look."""
        self._now = time
        while self._waiting and self._waiting[0][0] <= time:
            stamp, forces = self._waiting.pop(0)
            for place, force in forces.items():
                if self._stamps[place] is None or stamp >= self._stamps[place]:
                    self._forces[place], self._stamps[place] = force, stamp
        if self._timeout:
            for place, stamp in enumerate(self._stamps):
                if stamp is not None and time - stamp >= self._timeout:
                    self._forces[place] = 0.0
        return self._forces.copy()

    def _problem(self, names, forces):
        if not names or len(names) != len(forces):
            return f'{len(names)} names with {len(forces)} efforts, expected one for each name'
        for name, force in zip(names, forces, strict=True):
            if name not in self._names:
                return f'{name}: unknown degree of freedom, expected {", ".join(self._names)}'
            if not math.isfinite(force):
                return f'{name}: effort {force} is not finite'
        if len(self._waiting) == _LONGEST_QUEUE:
            return f'{_LONGEST_QUEUE} messages wait for their time already'
        return ''
