"""Recorded readings of a machine, and its true motion if that is known."""

from dataclasses import dataclass, replace

import numpy as np

from mb_estimators.recording.result import Track, judged
from mb_estimators.timeline import HeldInputs
from mb_model.arrays import FloatArray, IntArray
from mb_sensors import NANOSECONDS


@dataclass(frozen=True)
class Recording:
    """Readings at increasing stamps (k) [ns].

    readings (k, channels): in the order of a filter's sensors, NaN where there is none; truth: the
    motion at the stamps, with rows of NaN where it is not known, or None;
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
        """Return a Track at the stamps with its errors; as it is where no truth is known.

        Raises ValueError as motion_errors.
        """
        if self.truth is None:
            return track
        known = np.isfinite(self.truth.z).all(axis=1)
        errors = judged(self.t[known], track[known], self.truth[known])
        return replace(errors, z=track.z, zd=track.zd, zdd=track.zdd, turns=track.turns)
