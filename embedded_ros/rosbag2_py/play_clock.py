"""The time of a bag that is played."""
import time

NANOSECONDS = 1e9


class PlayClock:
    """Bag time [ns] that runs with wall time times `rate`, unless it is paused.

    Not locked: its owner sees to that.
    """

    def __init__(self, start, rate, paused):
        self._bag, self._wall = start, time.monotonic_ns()
        self._rate, self._paused = rate, paused

    @property
    def paused(self):
        return self._paused

    @paused.setter
    def paused(self, paused):
        self.jump(self.now())
        self._paused = paused

    @property
    def rate(self):
        return self._rate

    @rate.setter
    def rate(self, rate):
        self.jump(self.now())
        self._rate = rate

    def now(self):
        """Bag time [ns]."""
        if self._paused:
            return self._bag
        return self._bag + int((time.monotonic_ns() - self._wall) * self._rate)

    def jump(self, bag_time):
        """Go on from another bag time [ns]."""
        self._bag, self._wall = bag_time, time.monotonic_ns()

    def seconds_until(self, bag_time):
        """Wall time [s] until then, if it runs on like this."""
        return (bag_time - self.now()) / self._rate / NANOSECONDS
