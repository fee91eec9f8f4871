"""The path of a filter along a recording, with all that makes it a FrozenSystem."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_estimators.filter.sensor_channels import SensorChannels
from mb_estimators.filters.channels import biased_channels
from mb_estimators.kernels.unit_noise import note_step
from mb_estimators.observation import corrected
from mb_estimators.recording.recording import Recording
from mb_model.arrays import FloatArray


@dataclass(frozen=True)
class Path:
    """Of k instants: transitions (k, l, l), shifts (k, l), units (k, d, l, l), y (k, c), NaN where
    no reading is, H (k, c, l), felt (k, c, d), as kernels.frozen_likelihood takes them; end (l):
    what corrections before the last one have added to states that stay.
    """

    transitions: FloatArray
    shifts: FloatArray
    units: FloatArray
    y: FloatArray
    H: FloatArray
    felt: FloatArray
    end: FloatArray

    @classmethod
    def still(cls, count: int, size: int, densities: int, channels: int) -> 'Path':
        """Return one of so many instants on which nothing moves and nothing is read."""
        return cls(np.tile(np.eye(size), (count, 1, 1)), np.zeros((count, size)),
                   np.zeros((count, densities, size, size)), np.full((count, channels), np.nan),
                   np.zeros((count, channels, size)), np.zeros((count, channels, densities)),
                   np.zeros(size))


class Tracer:
    """A filter with its exact transition, which notes its steps on a Path.

    path; instant: to which it moves.
    """

    def __init__(self, filter_: Any, count: int, densities: int, beside: int = 0) -> None:
        """Set up for a filter at its start, and so many instants; beside: errors that stay."""
        self._of, self._record, self._g = filter_, filter_.state['filter'][0], filter_.mechanism.g
        size = len(filter_.layout)
        self.path, self.instant = Path.still(count, size + beside, densities, SensorChannels(
            filter_.sensors).count), 0
        self._transition = self._record['transition'][:size, :size]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._of, name)

    def note_reading(self) -> None:
        """Note the last correction."""
        f, path, k, size = self._record, self.path, self.instant, len(self._transition)
        count = f['count']
        there = f['present'][:count]
        path.y[k, there] = f['residual'][:count]
        path.H[k, there, :size] = f['H'][:count, :size]


class AccelerationTracer(Tracer):
    """error_ekf_ej or augmented_ekf: white noise of accelerations, then of walks of biases."""

    def __init__(self, filter_: Any, count: int) -> None:
        """Set up for a filter at its start, and so many instants."""
        super().__init__(filter_, count, filter_.mechanism.g + len(
            biased_channels(filter_.sensors)))
        size = len(self._transition)
        self._scratch = np.empty((size, size + 1), np.int64), np.empty((size, size))

    def predict(self, dt: float, inputs: Any = None) -> None:
        """Move the filter on by dt [s], and note how."""
        self._of.predict(dt, inputs)
        change, F = self._of.reference_change, self._transition
        F = np.ascontiguousarray(F if change is None else change @ F)
        note_step(F, dt, self._g, self.path.transitions[self.instant],
                  self.path.units[self.instant], *self._scratch)

    def note_reading(self) -> None:
        """Note the last correction."""
        super().note_reading()
        f, path, k = self._record, self.path, self.instant
        there = f['present'][:f['count']]
        # an accelerometer feels the noise of all degrees of freedom, which have one density
        path.felt[k, there, 0] = (f['variance'] - f['sensor_variance'])[there] / f[
            'acceleration_psd'][0]


def trace(tracer: Tracer, recording: Recording, dt: float) -> Path:
    """Run the filter of a Tracer, at its start, over a Recording; return its Path.

    dt: longest step of the model [s].  Raises DivergenceError.
    """
    path, change = tracer.path, None
    added = np.zeros(len(path.end))
    for k, innovation in enumerate(corrected(tracer, recording.stamps, recording.readings, dt,
                                             recording.inputs)):
        moved = path.transitions[k]
        path.end[:] += added
        path.shifts[k] = moved @ added
        if change is not None:      # references have followed the correction before
            moved[:] = moved @ change
        added, change = np.zeros(len(added)), None
        if innovation is not None:
            tracer.note_reading()
            correction, change = tracer.correction, tracer.reference_change
            added[:len(correction)] = correction
        tracer.instant = k + 1
    return path
