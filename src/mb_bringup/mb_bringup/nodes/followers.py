"""How far those who follow a prototype have come, so that its time can wait for them."""

import time

from mb_ros.stamps import from_seconds

PATIENCE = 5.0          # wall time without news after which time goes on a little [s]


class Followers:
    """Those whose newest stamp time may be ahead of by so much, and no more."""

    def __init__(self, start, most_ahead, stride, warn):
        """Begin at the stamp start [ns].

        most_ahead: of the newest stamp that they have reached [s]; stride: by which time goes on
        where there is no news for long [s]; warn: called with a sentence then.
        """
        self._reached, self._most_ahead = start, from_seconds(most_ahead)
        self._stride, self._warn = from_seconds(stride), warn
        self._news = None       # wall time of the newest, or of the first question [s]

    def reach(self, stamp):
        """Note that they have reached a stamp [ns]."""
        self._reached = max(self._reached, stamp)
        self._news = time.monotonic()

    def furthest(self):
        """Return the last stamp that time may reach for now [ns].

        Whoever waits for the readings of a dead sensor goes on when time does.
        """
        now = time.monotonic()
        self._news = self._news or now
        if now - self._news > PATIENCE:
            self._reached += self._stride
            self._news = now
            self._warn(f'no news for {PATIENCE:g} s of those that time waits for: it goes on')
        return self._reached + self._most_ahead
