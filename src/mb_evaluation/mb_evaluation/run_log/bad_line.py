"""Losses of readings on a line that is bad on purpose, from the counts of its nodes."""

from collections.abc import Mapping
from typing import Any

DISTURBER, ESTIMATOR = '/disturber', '/estimator'
LEFT_OUT = 'readings were left out or are missing'     # of the estimator: as a bad line is to have
_COUNTED = 'readings used', 'readings rejected', 'readings late', 'readings ignored'


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
