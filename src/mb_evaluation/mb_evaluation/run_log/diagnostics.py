"""What nodes report on /diagnostics: complaints of themselves, and counts of readings.

Of these, losses of readings on a line that is bad on purpose.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

DISTURBER, ESTIMATOR = '/disturber', '/estimator'
LEFT_OUT = 'readings were left out or are missing'     # of the estimator: as a bad line is to have
STALE = 'STALE'             # level of a node that waits for its first message
STARTING = 1_000_000_000    # it may wait so long [ns]
_COUNTED = 'readings used', 'readings rejected', 'readings late', 'readings ignored'


@dataclass(frozen=True)
class Complaint:
    """A problem that a node reported on /diagnostics, from stamp to stamp [ns]; None: still."""

    node: str
    level: str
    message: str
    begin: int
    end: int | None

    def since(self, start: int) -> dict[str, Any]:
        """Return it for a report, in seconds after a stamp [ns]."""
        end = None if self.end is None else (self.end - start) * 1e-9
        return {'node': self.node, 'level': self.level, 'message': self.message,
                'from': (self.begin - start) * 1e-9, 'to': end}


class Complaints(list):
    """All Complaints of a run, in the order in which they began.

    That a node waits for its first message is none, unless it waits for longer than STARTING.
    """

    def __init__(self) -> None:
        super().__init__()
        self._starting: dict[str, bool] = {}    # node -> whether it waited from its first report on

    def add(self, stamp: int, node: str, level: str, message: str) -> None:
        """Note what a node reports of itself at a stamp [ns].

        level: 'OK', 'WARN', 'ERROR' or 'STALE'; a node that is well ends its complaints.
        """
        waited = self._starting.get(node, True)
        self._starting[node] = waited and level == STALE
        open_ones = [k for k, one in enumerate(self) if one.node == node and one.end is None]
        if any(self[k].message == message for k in open_ones):
            return
        for k in open_ones:
            self[k] = replace(self[k], end=stamp)
        if waited and level != STALE:
            self[:] = [one for one in self if one.node != node or stamp - one.begin > STARTING]
        if level != 'OK':
            self.append(Complaint(node, level, message, stamp, None))


class BadLine:
    """Compares the counts of a disturber with the estimator's.

    Readings that the disturber drops are no losses; readings that neither node counts are.  The
    disturber counts messages, the estimator readings, of which a message may hold several.
    """

    def __init__(self, sizes: Mapping[str, int]) -> None:
        """Set up for {topic: readings in a message} of what the estimator reads.

        The disturber may have other topics, too, which others read.
        """
        self._sizes = dict(sizes)
        self._values: dict[str, dict[str, str]] = {}    # node -> its newest: {key: text}

    def note(self, status: Any) -> None:
        """Note a DiagnosticStatus, if it is of one of the two."""
        if status.name in (DISTURBER, ESTIMATOR):
            self._values[status.name] = {item.key: item.value for item in status.values}

    @property
    def came(self) -> int:
        """How many readings the disturber has received."""
        return sum(size * self._count(DISTURBER, f'{topic} received')
                   for topic, size in self._sizes.items())

    @property
    def sent(self) -> int:
        """How many messages the disturber has sent, and the middleware has taken."""
        passed = sum(self._count(DISTURBER, f'{topic} passed on') for topic in self._sizes)
        return passed - self._count(DISTURBER, 'refused by the middleware')

    def readings_lost(self, due: int) -> int:
        """Return how many of the readings that were due were lost before the line, or after it.

        After it at least: a message that was lost there counts as one reading, and only if fewer
        readings were counted than messages were sent.
        """
        counted = sum(self._count(ESTIMATOR, name) for name in _COUNTED)
        return max(0, due - self.came) + max(0, self.sent - counted)

    def _count(self, node: str, key: str) -> int:
        return int(self._values.get(node, {}).get(key, 0))
