"""What is known of a frame's motion against its parent.

Motions are pairs (translation (x, y, z), quaternion (x, y, z, w)).
"""
from bisect import bisect_left
import math
from typing import NamedTuple

from tf2_py.exceptions import ExtrapolationException

LATEST = 0      # as a stamp: the last one there is
IDENTITY = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))


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


def product(a, b):
    """Quaternion of the rotation b first, then a."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


def conjugate(q):
    """The opposite rotation of a unit quaternion."""
    return -q[0], -q[1], -q[2], q[3]


def rotate(q, v):
    """A vector turned by a unit quaternion."""
    return product(product(q, (*v, 0.0)), conjugate(q))[:3]


def compose(a, b):
    """The motion b first, then a."""
    turned = rotate(a[1], b[0])
    return tuple(x + y for x, y in zip(a[0], turned, strict=True)), product(a[1], b[1])


def inverse(motion):
    """The motion that undoes this one."""
    back = conjugate(motion[1])
    return tuple(-x for x in rotate(back, motion[0])), back


def interpolate(a, b, ratio):
    """Between two motions: straight, and turning at constant speed the shorter way round.

    Source: Shoemake 1985, Animating rotation with quaternion curves.
    """
    translation = tuple((1 - ratio) * x + ratio * y for x, y in zip(a[0], b[0], strict=True))
    cosine = sum(x * y for x, y in zip(a[1], b[1], strict=True))
    sign, cosine = (1.0, cosine) if cosine >= 0 else (-1.0, -cosine)
    angle = math.acos(min(1.0, cosine))
    first, second = 1 - ratio, ratio
    if angle > 1e-6:
        first, second = (math.sin(part * angle) / math.sin(angle) for part in (first, second))
    return translation, unit(tuple(
        first * x + sign * second * y for x, y in zip(a[1], b[1], strict=True)))


def unit(q):
    """The quaternion divided by its length."""
    length = math.sqrt(sum(x * x for x in q))
    return tuple(x / length for x in q)
