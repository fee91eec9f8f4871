"""Noticing that a filter's predictions have nothing to do with the readings any more."""

from mb_estimators.filter import DivergenceError
from mb_sensors.sampling import NANOSECONDS


class DivergenceWatch:
    """Raises an alarm when the normalized innovation squared stays beyond a bound for a time."""

    def __init__(self, bound, duration):
        """Set the bound of NIS per reading and the time [s] that it may be exceeded."""
        self._bound = bound
        self._duration = duration
        self._since = None

    @property
    def alarmed(self):
        """Whether the last innovation was beyond the bound."""
        return self._since is not None

    def check(self, stamp, innovation):
        """Look at the Innovation of a stamp [ns].  Raises DivergenceError.

        One from which every reading was left out says neither this nor that.
        """
        if len(innovation.channels) == 0:
            return
        if innovation.nis <= self._bound * len(innovation.channels):
            self._since = None
            return
        if self._since is None:
            self._since = stamp
        elapsed = (stamp - self._since) / NANOSECONDS
        if elapsed >= self._duration:
            raise DivergenceError(
                f'normalized innovation squared above {self._bound:g} per reading '
                f'for {elapsed:.3g} s')

    def remember(self):
        """Return all that the next check depends on, for recall."""
        return self._since

    def recall(self, memory):
        """Go back to where `remember` was called."""
        self._since = memory

    def forget(self):
        """Begin anew."""
        self._since = None
