"""The loads of a run, from one change of the load to the next."""

from collections import Counter
from typing import NamedTuple

from mb_model.arrays import FloatArray


class Load(NamedTuple):
    """What was weighed from stamp to stamp [ns].

    event: with which it begins, empty for the first; mass (k), deviation (k) [kg]: as known at its
    end; count: instants that entered; held: instants that did not; reason: why most of these did
    not; doubted: instants that entered with a wider deviation, doubt: why most of these.
    """

    begin: int
    end: int
    event: str
    mass: FloatArray
    deviation: FloatArray
    count: int
    held: int
    reason: str
    doubted: int
    doubt: str

    @property
    def reasons(self):
        """How many instants were held or doubted, and why most of them, in words."""
        return '; '.join(f'{count} {what}: {why}' for count, what, why in (
            (self.held, 'held', self.reason), (self.doubted, 'doubted', self.doubt)) if count)


def loads_of(all_weighed):
    """Return the Loads of what was Weighed, in its order."""
    groups = []
    for weighed in all_weighed:
        if weighed.payload.event or not groups:
            groups.append([])
        groups[-1].append(weighed)
    return [_load(group) for group in groups]


def _load(group):
    held, doubted = (Counter(one.payload.reason for one in group if one.payload.updating is entered
                             and (one.payload.reason or not entered))
                     for entered in (False, True))
    first, last = group[0], group[-1]
    return Load(first.stamp, last.stamp, first.payload.event, last.payload.mass,
                last.payload.deviation, sum(one.payload.updating for one in group),
                held.total(), _usual(held), doubted.total(), _usual(doubted))


def _usual(reasons):
    return reasons.most_common(1)[0][0] if reasons else ''
