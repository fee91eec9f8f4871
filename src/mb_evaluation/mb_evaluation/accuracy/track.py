"""Tracks: the degrees of freedom as one publisher gave them, in the order of the stamps."""

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from mb_evaluation.accuracy.rows import Rows
from mb_model import ComparableMotion, FreeOrientations, Turns
from mb_model.space_api import rotation

NANOSECOND = 1e-9


class Track:
    """Stamped independent coordinates with their derivatives, and their covariance.

    covariance (k, l, l): of the first l of the stacked z, zd, zdd, as many as are estimated.
    """

    def __init__(self, samples: Iterable[tuple],
                 orientations: FreeOrientations | None = None) -> None:
        """Order samples by stamp, the last one given for a stamp counts.

        samples: iterable of (stamp [ns], z (g), zd (g), zdd (g), covariance), and the frames of the
        FreeOrientations of the mechanism, if there are any.  The covariance, of as many of the
        stacked z, zd, zdd as are estimated, may be empty.
        """
        rows = samples if isinstance(samples, Rows) else Rows(samples)
        order = _last_of_each(rows.stamps)
        self.stamps = rows.stamps[order]         # (k)
        motion = [_whole(rows.column(i))[order] for i in range(3)]
        self.motion = (orientations.motion(*motion, _whole(rows.column(4))[order])
                       if orientations and len(rows) else ComparableMotion(*motion))
        claims = rows.column(3)
        size = min((one.shape[1] for one in claims), default=0)
        self.covariance = _whole([one[:, :size, :size] for one in claims]).reshape(
            len(rows), size, size)[order]

    def __len__(self) -> int:
        return len(self.stamps)

    @property
    def z(self) -> np.ndarray:
        """Independent coordinates (k, g)."""
        return self.motion.z

    @property
    def zd(self) -> np.ndarray:
        """Their velocities (k, g)."""
        return self.motion.zd

    @property
    def zdd(self) -> np.ndarray:
        """Their accelerations (k, g)."""
        return self.motion.zdd

    def shown(self, first: 'Track') -> np.ndarray:
        """Return z (k, g) to be drawn: orientations counted on from where a Track begins."""
        if self.motion.turns is None:
            return self.z
        return _counted(self.motion, first.motion)

    @cached_property
    def deviations(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Standard deviations of z, zd, zdd, (k, g) each; nan where not estimated."""
        g = self.z.shape[1]
        sigma = np.full((len(self), 3 * g), np.nan)
        variances = np.diagonal(self.covariance, axis1=1, axis2=2)
        sigma[:, :variances.shape[1]] = np.sqrt(np.maximum(variances, 0.0))
        return sigma[:, :g], sigma[:, g:2 * g], sigma[:, 2 * g:]

    def seconds(self, start: int) -> np.ndarray:
        """Return the stamps as seconds after a start [ns]."""
        return (self.stamps - start) * NANOSECOND

    def at(self, stamps: np.ndarray) -> ComparableMotion:
        """Return the ComparableMotion at stamps [ns] inside the track.

        Between samples z and zd are interpolated with their own derivatives (cubic Hermite), zdd
        linearly; at a sample its own values count.
        """
        left = np.searchsorted(self.stamps[1:-1], stamps, side='right')
        right = np.minimum(left + 1, len(self) - 1)
        span = np.maximum(self.stamps[right] - self.stamps[left], 1)        # [ns]
        part = ((stamps - self.stamps[left]) / span)[:, None]
        span = span[:, None] * NANOSECOND
        return ComparableMotion(
            _hermite(self.z, self.zd, left, right, span, part),
            _hermite(self.zd, self.zdd, left, right, span, part),
            self.zdd[left] + part * (self.zdd[right] - self.zdd[left]),
            _turns_at(self.motion, left, right, span, part))


def _last_of_each(stamps: np.ndarray):
    """Return the rows, by increasing stamps (k), of which none with the same stamp comes later."""
    order = np.argsort(stamps, kind='stable')
    same = stamps[order[1:]] == stamps[order[:-1]]
    return order[np.append(~same, np.ones(min(len(order), 1), bool))]


def _whole(parts: Sequence[np.ndarray]):
    """Return the rows of arrays as one."""
    return np.concatenate(parts) if parts else np.empty(0)


def _hermite(values: np.ndarray, slopes: np.ndarray, left: np.ndarray, right: np.ndarray,
             span: np.ndarray, part: np.ndarray):
    """Return the cubic through values and slopes (k, g) of the rows left and right of each point.

    span: from left to right [s]; part: where in between, 0...1; (w, 1) both.
    """
    step = values[right] - values[left]
    bend = part * (1.0 - part)
    return (values[left] + part * step
            + bend * ((1.0 - part) * (span * slopes[left] - step)
                      - part * (span * slopes[right] - step)))


def _turns_at(motion: ComparableMotion, left: np.ndarray, right: np.ndarray, span: np.ndarray,
              part: np.ndarray):
    """Return the Turns between samples of a ComparableMotion, None if it has none.

    left, right: rows (w) of the samples; span (w, 1): between them [s]; part (w, 1): where, 0...1.
    The rotation vector from the left sample is a cubic with the rates at both ends.
    """
    if motion.turns is None:
        return None
    turns, speeds = motion.turns, motion.zd[:, motion.turns.indices]     # (k, b, 3)
    vectors = turns[right].since(turns[left])                           # (w, b, 3)
    first, last = span[..., None] * speeds[left], span[..., None] * speeds[right]
    # The rate of a rotation vector v whose body turns at w is w + v x w / 2 to first order in v.
    last += 0.5 * np.cross(vectors, last)
    part = part[..., None]
    bend = part * (1.0 - part)
    on = part * vectors + bend * ((1.0 - part) * (first - vectors) - part * (last - vectors))
    return Turns(turns.indices, turns.rotations[left] @ np.array(
        [rotation(vector) for vector in on.reshape(-1, 3)]).reshape(*on.shape, 3))


def _counted(motion: ComparableMotion, first: ComparableMotion):
    """Return z (k, g) of a ComparableMotion with turns counted on, about axes of the bodies [rad].

    They count from the first instant of another motion, so that all of a picture do.
    """
    z, turns = motion.z.copy(), motion.turns
    steps = turns[1:].since(turns[:-1])
    start = turns[:1].since(first.turns[:1])
    z[:, turns.indices] = np.cumsum(np.concatenate([start, steps]), axis=0)
    return z
