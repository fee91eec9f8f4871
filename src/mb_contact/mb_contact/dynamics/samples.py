"""A motion without contacts and the forces of drives, to identify dynamics from."""

from dataclasses import dataclass

import numpy as np

from mb_model.arrays import BoolArray, FloatArray, IntArray, Selection
from mb_sensors import NANOSECONDS, RecordedMotion


@dataclass(frozen=True)
class DynamicsSamples:
    """One recording: a RecordedMotion, and the forces of drives at its stamps (k, d).

    Forces and accelerations are means over the same time.
    """

    motion: RecordedMotion
    torques: np.ndarray

    @property
    def t(self) -> FloatArray:
        """Times since the first stamp (k) [s]."""
        return (self.motion.stamps - self.motion.stamps[0]) / NANOSECONDS

    def __len__(self) -> int:
        return len(self.motion)

    def __getitem__(self, chosen: Selection) -> 'DynamicsSamples':
        """Return some of the samples, by a mask or a slice."""
        return DynamicsSamples(self.motion[chosen], self.torques[chosen])


class HeldTorques:
    """Forces of drives (d), each from its stamp on until the next."""

    def __init__(self, stamps: IntArray, torques: FloatArray) -> None:
        """Set up for increasing stamps (k) [ns] and torques (k, d)."""
        self._stamps, self._torques = np.asarray(stamps), np.asarray(torques, float)

    def known(self, stamps: IntArray) -> BoolArray:
        """Return at which stamps (k) forces are known on both sides."""
        return (stamps > self._stamps[0]) & (stamps < self._stamps[-1])

    def before(self, stamps: IntArray) -> FloatArray:
        """Return the forces (k, d) until stamps, for accelerations of a simulation."""
        return self._torques[np.searchsorted(self._stamps, stamps, side='left') - 1]

    def around(self, stamps: IntArray) -> FloatArray:
        """Return the mean (k, d) of both sides, for accelerations that a curve was fitted to."""
        after = self._torques[np.searchsorted(self._stamps, stamps, side='right') - 1]
        return 0.5 * (self.before(stamps) + after)


class ReadTorques:
    """Forces of drives (d) as they were measured: each at its stamp, on straight lines between."""

    def __init__(self, stamps: IntArray, torques: FloatArray) -> None:
        """Set up for increasing stamps (k) [ns] and torques (k, d)."""
        self._stamps, self._torques = np.asarray(stamps), np.asarray(torques, float)

    def known(self, stamps: IntArray) -> BoolArray:
        """Return at which stamps (k) forces are known."""
        return (stamps >= self._stamps[0]) & (stamps <= self._stamps[-1])

    def at(self, stamps: IntArray) -> FloatArray:
        """Return the forces (k, d) at stamps."""
        t, known = ((one - self._stamps[0]) / NANOSECONDS for one in (stamps, self._stamps))
        return np.column_stack([np.interp(t, known, torques) for torques in self._torques.T])
