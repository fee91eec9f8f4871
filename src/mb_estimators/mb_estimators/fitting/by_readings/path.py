"""The path of a filter along a recording, with all that makes it a FrozenSystem."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_estimators.filter.sensor_channels import SensorChannels
from mb_estimators.filters.channels import biased_channels
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


class _Tracer:
    """A filter with the exact transition and white noise, and notes of what leads on."""

    def __init__(self, filter_: Any) -> None:
        self._of, self._record = filter_, filter_.state['filter'][0]
        self._size, self._g = len(filter_.layout), filter_.mechanism.g
        self._walks = len(biased_channels(filter_.sensors))
        self._channels = len(SensorChannels(filter_.sensors).owners)
        self.begin()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._of, name)

    def begin(self) -> None:
        """Note from here on, where errors may just have been carried to other references."""
        self.moved = np.eye(self._size)
        self.units = np.zeros((self._g + self._walks, self._size, self._size))

    def predict(self, dt: float, inputs: Any = None) -> None:
        """Move the filter on by dt [s], and note how."""
        self._of.predict(dt, inputs)
        g, F = self._g, self._record['transition'][:self._size, :self._size]
        if self._of.reference_change is not None:
            F = self._of.reference_change @ F
        self.moved = F @ self.moved
        self.units = F @ self.units @ F.T
        # white noise over the step: Rodriguez et al. 2023, Eq. (107)
        over = np.array([[dt ** 3 / 3.0, dt ** 2 / 2.0], [dt ** 2 / 2.0, dt]])
        for k in range(g):
            self.units[k][np.ix_([k, g + k], [k, g + k])] += over
        for k in range(self._walks):
            self.units[g + k, 2 * g + k, 2 * g + k] += dt

    def nothing_read(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return y (c), H (c, l) and felt (c, d) without readings."""
        return (np.full(self._channels, np.nan), np.zeros((self._channels, self._size)),
                np.zeros((self._channels, len(self.units))))

    def last_reading(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return y (c), H (c, l) and felt (c, d) of the last correction."""
        f, (y, H, felt) = self._record, self.nothing_read()
        count = f['count']
        there = f['present'][:count]
        y[there], H[there] = f['residual'][:count], f['H'][:count, :self._size]
        # an accelerometer feels the noise of all degrees of freedom, which have one density
        felt[there, 0] = (f['variance'] - f['sensor_variance'])[there] / f['acceleration_psd'][0]
        return y, H, felt


def trace(filter_: Any, recording: Recording, dt: float) -> Path:
    """Run error_ekf_ej or augmented_ekf, at its start, over a Recording; return its Path.

    dt: longest step of the model [s].  Raises DivergenceError.
    """
    tracer, size = _Tracer(filter_), len(filter_.layout)
    change, added, end = np.eye(size), np.zeros(size), np.zeros(size)
    rows: list[Any] = []
    for innovation in corrected(tracer, recording.stamps, recording.readings, dt,
                                recording.inputs):
        moved, end = tracer.moved, end + added
        noted = (moved @ change, moved @ added, tracer.units)
        if innovation is None:
            read, change, added = tracer.nothing_read(), np.eye(size), np.zeros(size)
        else:
            read, turned = tracer.last_reading(), filter_.reference_change
            change, added = np.eye(size) if turned is None else turned, filter_.correction
        rows.append((*noted, *read))
        tracer.begin()
    return Path(*(np.array(column) for column in zip(*rows, strict=True)), end)
