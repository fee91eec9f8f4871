"""The path of a filter along a recording, with all that makes it a FrozenSystem."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_estimators.filters.augmented_ekf import AugmentedEkf
from mb_estimators.filters.error_ekf_ej import ErrorEkfEj
from mb_estimators.filters.parameters import Parameters
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


class _Traced:
    """Of ModelFilters with the exact transition and white noise: notes what leads on."""

    layout: Any
    reference_change: FloatArray | None
    correction: FloatArray
    _filter: Any
    _biases: Any
    _channels: Any
    _g: int

    def begin(self) -> None:
        """Note from here on, where errors may just have been carried to other references."""
        size = len(self.layout)
        self.moved = np.eye(size)
        self.units = np.zeros((self._g + len(self._biases), size, size))

    def predict(self, dt: float, inputs: Any = None) -> None:
        """Move the state on by dt [s], and note how; see ModelFilter.predict."""
        super().predict(dt, inputs)  # type: ignore[misc]
        g, size = self._g, len(self.layout)
        F = self._filter['transition'][:size, :size]
        if self.reference_change is not None:
            F = self.reference_change @ F
        self.moved = F @ self.moved
        self.units = F @ self.units @ F.T
        # white noise over the step: Rodriguez et al. 2023, Eq. (107)
        over = np.array([[dt ** 3 / 3.0, dt ** 2 / 2.0], [dt ** 2 / 2.0, dt]])
        for k in range(g):
            self.units[k][np.ix_([k, g + k], [k, g + k])] += over
        for k in range(len(self._biases)):
            self.units[g + k, 2 * g + k, 2 * g + k] += dt

    def last_reading(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return y (c), H (c, l) and felt (c, d) of the last correction."""
        size, channels, f = len(self.layout), len(self._channels), self._filter
        count = f['count']
        there = f['present'][:count]
        y, H, felt = np.full(channels, np.nan), np.zeros((channels, size)), np.zeros(
            (channels, len(self.units)))
        y[there], H[there] = f['residual'][:count], f['H'][:count, :size]
        # an accelerometer feels the noise of all degrees of freedom, which have one density
        felt[there, 0] = (f['variance'] - f['sensor_variance'])[there] / f['acceleration_psd'][0]
        return y, H, felt


class TracedEkf(_Traced, ErrorEkfEj):
    """Of motion and biases."""


class TracedAugmentedEkf(_Traced, AugmentedEkf):
    """Of motion, biases and numbers of the machine."""

    @property
    def numbers(self) -> Parameters:
        """The numbers, as the filter counts them."""
        return self._parameters


def trace(filter_: Any, recording: Recording, dt: float) -> Path:
    """Run a traced filter, at its start, over a Recording; return its Path.

    dt: longest step of the model [s].  Raises DivergenceError.
    """
    size, channels = len(filter_.layout), len(filter_._channels)
    filter_.begin()
    change, added, end = np.eye(size), np.zeros(size), np.zeros(size)
    rows: list[Any] = []
    for innovation in corrected(filter_, recording.stamps, recording.readings, dt,
                                recording.inputs):
        moved, end = filter_.moved, end + added
        noted = (moved @ change, moved @ added, filter_.units)
        if innovation is None:
            read = (np.full(channels, np.nan), np.zeros((channels, size)),
                    np.zeros((channels, len(filter_.units))))
            change, added = np.eye(size), np.zeros(size)
        else:
            read = filter_.last_reading()
            turned = filter_.reference_change
            change, added = np.eye(size) if turned is None else turned, filter_.correction
        rows.append((*noted, *read))
        filter_.begin()
    return Path(*(np.array(column) for column in zip(*rows, strict=True)), end)
