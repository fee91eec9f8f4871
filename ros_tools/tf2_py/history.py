"""What is known of one frame's motion against its parent."""
from bisect import bisect_left
from typing import NamedTuple

from tf2_py.exceptions import ExtrapolationException
from tf2_py.rigid import interpolate

LATEST = 0      # as a stamp: the last one there is


class Sample(NamedTuple):
    """Motion from a frame to its parent at a time [ns]."""

    stamp: int
    parent: str
    motion: tuple


class StaticHistory:
    """A frame that does not move."""

    def __init__(self):
        self._sample = None

    def add(self, sample):
        """Take over the newest word; always accepted."""
        self._sample = sample
        return True

    def newest(self):
        """None: it is right at any time."""
        return None

    def at(self, stamp):
        """The sample, whatever the time."""
        return self._sample


class MovingHistory:
    """A frame whose motion is known at some times of the last `duration` [ns]."""

    def __init__(self, duration):
        self._duration = duration
        self._stamps, self._samples = [], []

    def add(self, sample):
        """Take a sample; False if it is older than all that is kept."""
        if self._stamps and sample.stamp < self._stamps[-1] - self._duration:
            return False
        place = bisect_left(self._stamps, sample.stamp)
        if place < len(self._stamps) and self._stamps[place] == sample.stamp:
            self._samples[place] = sample
        else:
            self._stamps.insert(place, sample.stamp)
            self._samples.insert(place, sample)
        outdated = bisect_left(self._stamps, self._stamps[-1] - self._duration)
        del self._stamps[:outdated], self._samples[:outdated]
        return True

    def newest(self):
        """Time of the last sample [ns]."""
        return self._stamps[-1]

    def at(self, stamp):
        """The sample at a time, between two if need be.  Raises ExtrapolationException."""
        if stamp == LATEST:
            return self._samples[-1]
        place = bisect_left(self._stamps, stamp)
        if place < len(self._stamps) and self._stamps[place] == stamp:
            return self._samples[place]
        if not 0 < place < len(self._stamps):
            raise ExtrapolationException(self._beyond(stamp))
        before, after = self._samples[place - 1:place + 1]
        if before.parent != after.parent:
            return before
        ratio = (stamp - before.stamp) / (after.stamp - before.stamp)
        return Sample(stamp, before.parent, interpolate(before.motion, after.motion, ratio))

    def _beyond(self, stamp):
        first, last = self._stamps[0], self._stamps[-1]
        if first == last:
            return (f'Lookup would require extrapolation at time {stamp * 1e-9:.6f}, '
                    f'but only time {first * 1e-9:.6f} is in the buffer')
        side, end, bound = (('past', 'earliest', first) if stamp < first
                            else ('future', 'latest', last))
        return (f'Lookup would require extrapolation into the {side}.  Requested time '
                f'{stamp * 1e-9:.6f} but the {end} data is at time {bound * 1e-9:.6f}')
