"""Detected contacts, each with a reaction at a time that follows from its stamp."""

from bisect import insort


class DetectedContacts:
    """Judged instants with a contact, by the times at which they take effect.

    A contact takes effect `delay` after the stamp of the state that was judged, so that reactions
    depend on stamps alone.  One that is known only after its time takes effect at once.
    """

    def __init__(self, delay):
        """delay [s]; 0: contacts take effect as soon as they are known."""
        self._delay = round(1e9 * delay)
        self._waiting = []      # (time of effect [ns], whether it came too late), by time
        self._now = 0

    def add(self, stamp):
        """Add a contact of a judged stamp [ns]; 0: its time is unknown, it takes effect at once."""
        if not (stamp and self._delay):
            insort(self._waiting, (0, False))
            return
        time = stamp + self._delay
        insort(self._waiting, (time, time <= self._now))

    def due(self, now):
        """Return how late the first contact is that is due at a time [ns], None if none is.

        0: it came in time.
        """
        self._now, late = now, None
        while self._waiting and self._waiting[0][0] <= now:
            time, missed = self._waiting.pop(0)
            if late is None:
                late = now - time if missed else 0
        return late
