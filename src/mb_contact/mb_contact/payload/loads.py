"""The loads of a run, from one change of the load to the next."""

from collections import Counter
from typing import NamedTuple

from mb_model.arrays import FloatArray


class Load(NamedTuple):
    """What was weighed from stamp to stamp [ns].

    event: with which it begins, empty for the first; mass (k), deviation (k) [kg]: as known at its
    end; count: instants that entered; held: instants that did not; reason: why most of these did
    not.
    """

    begin: int
    end: int
    event: str
    mass: FloatArray
    deviation: FloatArray
    count: int
    held: int
    reason: str

    @property
    def why_held(self):
        """How many instants were held, and why most of them, in words."""
        return f'{self.held}: {self.reason}' if self.held else ''


def loads_of(all_weighed):
    """Return the Loads of what was Weighed, in its order."""
    groups = []
    for weighed in all_weighed:
        if weighed.payload.event or not groups:
            groups.append([])
        groups[-1].append(weighed)
    return [_load(group) for group in groups]


def _load(group):
    reasons = Counter(one.payload.reason for one in group if not one.payload.updating)
    first, last = group[0], group[-1]
    return Load(first.stamp, last.stamp, first.payload.event, last.payload.mass,
                last.payload.deviation, sum(one.payload.updating for one in group),
                sum(reasons.values()), reasons.most_common(1)[0][0] if reasons else '')
