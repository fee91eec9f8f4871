"""Recorded readings of a machine, and its true motion if that is known."""

from dataclasses import dataclass

import numpy as np

from mb_estimators.recording.result import Track, judged
from mb_estimators.timeline import HeldInputs
from mb_model.arrays import FloatArray, IntArray
from mb_sensors import NANOSECONDS


@dataclass(frozen=True)
class Recording:
    """Readings at increasing stamps (k) [ns].

    readings (k, channels): in the order of a filter's sensors, NaN where there is none; truth: the
    motion at the stamps, z, zd, zdd (k, g), with rows of NaN where it is not known, or None;
    inputs: HeldInputs of the filter, such as commands of valves, None for none.
    """

    stamps: IntArray
    readings: FloatArray
    truth: Track | None = None
    inputs: HeldInputs | None = None

    @property
    def t(self) -> FloatArray:
        """Times since the first stamp (k) [s]."""
        return (self.stamps - self.stamps[0]) / NANOSECONDS

    def judge(self, track: Track) -> Track:
        """Return a Track at the stamps with its errors; as it is where no truth is known."""
        if self.truth is None:
            return track
        known = np.isfinite(self.truth.z).all(axis=1)
        compared, truth = (
            Track(*(getattr(motion, name)[known] for name in ('z', 'zd', 'zdd')))
            for motion in (track, self.truth))
        found = judged(self.t[known], compared, truth)
        return Track(track.z, track.zd, track.zdd, found.position_rmse,
                     found.position_rmse_after_2s, found.velocity_rmse, found.acceleration_rmse)
