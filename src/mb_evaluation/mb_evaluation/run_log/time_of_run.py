"""Checks of the time of a run: one publisher, and no steps back."""

_MOST = 10                  # steps of which a report gives the time


class TimeOfRun:
    """Notes the messages on /clock, and their publishers.

    publishers: in words, if there were several at once.  A wrong step ahead shows by the step back
    that follows it; a monitor that stood still misses some of the messages.
    """

    def __init__(self, start):
        """Set up for a run that begins at a stamp [ns]."""
        self._start, self._last = start, None
        self._steps, self._first = 0, []        # steps back: how many; the first ones, from and to
        self.publishers = ''

    def tick(self, stamp):
        """Note a stamp [ns] on /clock."""
        if self._last is not None and stamp < self._last:
            self._steps += 1
            if len(self._first) < _MOST:
                self._first.append((self._last, stamp))
        self._last = stamp

    def figures(self):
        """Return the figures for a report, with times after the start [s]."""
        return {'steps_back': self._steps, 'publishers': self.publishers, 'first_steps': [
            {'from': 1e-9 * (before - self._start), 'to': 1e-9 * (after - self._start)}
            for before, after in self._first]}
