"""Gains and offsets of the measured forces of drives among the unknowns of a fit."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mb_estimators.filters.parameters import KNOWN_FORCES
from mb_model.arrays import FloatArray

GAIN, OFFSET = 'gain', 'offset'
_LEAST = 1e-6           # of a gain


class DrivePart:
    """Unknown factors and constants by which the recorded force of a drive becomes the true one.

    paths: 'known_forces.<drive>.gain' and '.offset', as estimators have them, at first 1 and 0.
    """

    is_body = False

    def __init__(self, drives: Sequence[str], paths: Sequence[str]) -> None:
        """Set up for drives (d), in the order of their forces."""
        self.paths = self.names = self.feature_paths = tuple(paths)
        self.columns = tuple((drives.index(path.removeprefix(KNOWN_FORCES).rpartition('.')[0]),
                              path.rpartition('.')[2]) for path in self.paths)
        self.start = np.array([1.0 if kind == GAIN else 0.0 for _, kind in self.columns])
        self.believed = self.start
        self.lower = np.where([kind == GAIN for _, kind in self.columns], 0.0, -np.inf)

    def features(self, x: FloatArray) -> FloatArray:
        """Return the factors and constants, which are the unknowns."""
        return x

    def slopes(self, x: FloatArray) -> FloatArray:
        """Return the derivatives of the features by the unknowns."""
        return np.eye(len(x))

    def prior(self, x: FloatArray, barrier: float = 1.0,
              ) -> tuple[float, FloatArray, FloatArray]:
        """Return cost, gradient, root of the Hessian of what is believed of bodies: nothing."""
        return 0.0, np.zeros(len(x)), np.zeros((0, len(x)))

    def room(self, x: FloatArray, step: FloatArray) -> float:
        """Return that no step reaches anything impossible."""
        return np.inf

    def overrides(self, x: FloatArray) -> dict[str, Any]:
        """Return nothing: they are not in a mechanism file."""
        return {}

    def raw_values(self, x: FloatArray) -> dict[str, float]:
        """Return the unknowns by path."""
        return dict(zip(self.paths, x.tolist(), strict=True))

    def raw_slopes(self, x: FloatArray) -> FloatArray:
        """Return the derivatives of raw_values by the unknowns."""
        return np.eye(len(x))

    @property
    def has_gains(self) -> bool:
        """Whether any of them is a factor."""
        return any(kind == GAIN for _, kind in self.columns)

    def gains(self, x: FloatArray, count: int) -> FloatArray:
        """Return the factors of all drives (d)."""
        gains = np.ones(count)
        for (drive, kind), value in zip(self.columns, x, strict=True):
            if kind == GAIN:
                gains[drive] = value
        return np.maximum(gains, _LEAST)

    def needed(self, R: FloatArray, torques: FloatArray) -> FloatArray:
        """Return how what is needed less what drives do changes with each unknown (k, g, p).

        R (k, d, g): of the coordinates of the drives; torques (k, d): recorded.
        """
        by = [R[:, drive] * (torques[:, drive, np.newaxis] if kind == GAIN else 1.0)
              for drive, kind in self.columns]
        return -np.stack(by, axis=2) if by else np.zeros((*R[:, 0].shape, 0))
