"""Losses of readings on a line that is bad on purpose, from the counts of its nodes."""

DISTURBER, ESTIMATOR = '/disturber', '/estimator'
LEFT_OUT = 'readings were left out or are missing'     # of the estimator: as a bad line is to have
_COUNTED = 'readings used', 'readings rejected', 'readings late', 'readings ignored'


class BadLine:
    """Compares the counts of a disturber with the estimator's.

    Readings that the disturber drops are no losses; readings that neither node counts are.
    """

    def __init__(self):
        self._values = {}           # node -> {key: text} of its newest diagnostics

    def note(self, status):
        """Note a DiagnosticStatus, if it is of one of the two."""
        if status.name in (DISTURBER, ESTIMATOR):
            self._values[status.name] = {item.key: item.value for item in status.values}

    @property
    def came(self):
        """How many readings the disturber has received."""
        return self._sum(DISTURBER, ' received')

    @property
    def sent(self):
        """How many messages the disturber has sent, and the middleware has taken."""
        refused = self._sum(DISTURBER, 'refused by the middleware')
        return self._sum(DISTURBER, ' passed on') - refused

    def readings_lost(self, due):
        """Return how many of the readings that were due were lost before the line, or after it."""
        counted = sum(self._sum(ESTIMATOR, name) for name in _COUNTED)
        return max(0, due - self.came) + max(0, self.sent - counted)

    def _sum(self, node, ending):
        return sum(int(value) for key, value in self._values.get(node, {}).items()
                   if key.endswith(ending))
