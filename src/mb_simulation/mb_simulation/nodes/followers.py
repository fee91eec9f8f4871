"""How far the nodes that follow a prototype have come, so that its time can wait for them."""

from mb_ros.running_time import RunningTime
from mb_ros.stamps import from_seconds

PATIENCE = 5.0          # wall time that time stands still at most, for the first time [s]
LEAST_PATIENCE = 0.1    # below this, time never waits again [s]


class Followers:
    """Nodes that follow simulated time, which is ahead of their newest stamp by a limited amount.

    If no news comes for long, the nodes count as absent, and time passes freely until they
    publish something newer.  Every time-out halves the patience, so a node that never reports in
    time holds up a run by 10 s of wall time in all.  A standstill of this process does not count.
    """

    def __init__(self, start, most_ahead, news, warn):
        """Begin at the stamp start [ns].

        most_ahead: of the newest stamp that they have reached [s]; news: what they publish, in the
        plural; warn: called with a sentence when time does not wait any more.
        """
        self._start, self._reached, self._most_ahead = start, start, from_seconds(most_ahead)
        self._news, self._warn = news, warn
        self._patience, self._times = PATIENCE, 0
        self._time = RunningTime()
        self._still = None      # when time began to stand still [s]
        self._absent = ''       # why time does not wait; empty while it does

    def reach(self, stamp):
        """Note that they have reached a stamp [ns]; only a newer one is news."""
        if stamp <= self._reached:
            return
        self._reached, self._still = stamp, None
        if self._patience >= LEAST_PATIENCE:
            self._absent = ''

    def allowed(self, wanted):
        """Return the last stamp that time may reach for now, at most the wanted one [ns]."""
        now, furthest = self._time.now(), self._reached + self._most_ahead
        if self._absent or wanted <= furthest:
            self._still = None
            return wanted
        if self._still is None:
            self._still = now
        if now - self._still <= self._patience:
            return furthest
        self._give_up()
        return wanted

    @property
    def wrong(self):
        """Why time did not wait, in words; empty if it has always waited."""
        if not self._times:
            return ''
        what = self._absent or f'time went on {self._times} times without {self._news}'
        return f'{what}: another run with this seed may differ'

    @property
    def times(self):
        """How often time continued without them."""
        return self._times

    def _give_up(self):
        """Wait no more until there is news, or never again."""
        self._patience *= 0.5
        self._times += 1
        self._absent = (f'does not wait any more: no {self._news} since '
                        f'{1e-9 * (self._reached - self._start):.3f} s')
        if self._patience < LEAST_PATIENCE:
            self._absent = (f'does not wait any more: {self._times} times no {self._news} for long,'
                            f' last after {1e-9 * (self._reached - self._start):.3f} s')
        self._warn(self.wrong)
