"""Gains, offsets and losses of the measured forces of drives among the unknowns of a fit."""

from collections.abc import Sequence

import numpy as np

from mb_estimators.filters.parameters import KNOWN_FORCES
from mb_estimators.fitting.recorded_part import RecordedPart
from mb_model.arrays import FloatArray

GAIN, OFFSET = 'gain', 'offset'
ASYMMETRY, GROWTH, LOSS = 'asymmetry', 'growth', 'loss'
GEAR_KINDS = ASYMMETRY, GROWTH, LOSS
_LEAST = 1e-6           # of a gain


class DrivePart(RecordedPart):
    """Unknown numbers by which the recorded force u of a drive at velocity v becomes the true one.

    gain (u (1 + growth v^2) + asymmetry |u|) + offset - loss |u| tanh(v / loss_velocity), as of
    `pulse_ekf`.  paths: 'known_forces.<drive>.gain', at first 1, and so on, at first 0.  Features
    are the factors of what is added up.
    """

    def __init__(self, drives: Sequence[str], paths: Sequence[str], loss_velocity: float) -> None:
        """Set up for drives (d), in the order of their forces; loss_velocity [rad/s or m/s]."""
        self.columns = tuple((drives.index(path.removeprefix(KNOWN_FORCES).rpartition('.')[0]),
                              path.rpartition('.')[2]) for path in paths)
        self._loss_velocity = loss_velocity
        # Shares of a gain among the unknowns: which gain that is.
        self._of = {k: self.columns.index((drive, GAIN))
                    for k, (drive, kind) in enumerate(self.columns)
                    if kind in (ASYMMETRY, GROWTH) and (drive, GAIN) in self.columns}
        super().__init__(
            paths, np.array([1.0 if kind == GAIN else 0.0 for _, kind in self.columns]),
            np.where([kind in (GAIN, GROWTH, LOSS) for _, kind in self.columns], 0.0, -np.inf))

    def features(self, x: FloatArray) -> FloatArray:
        """Return the factors of what is added up."""
        features = x.copy()
        for k, gain in self._of.items():
            features[k] *= x[gain]
        return features

    def slopes(self, x: FloatArray) -> FloatArray:
        """Return the derivatives of the features by the unknowns."""
        slopes = np.eye(len(x))
        for k, gain in self._of.items():
            slopes[k, k], slopes[k, gain] = x[gain], x[k]
        return slopes

    @property
    def has_gains(self) -> bool:
        """Whether any of them is a factor of a force."""
        return any(kind != OFFSET for _, kind in self.columns)

    def gains(self, features: FloatArray, count: int) -> FloatArray:
        """Return the factors of all drives (d)."""
        gains = np.ones(count)
        for (drive, kind), value in zip(self.columns, features, strict=True):
            if kind == GAIN:
                gains[drive] = value
        return np.maximum(gains, _LEAST)

    def needed(self, R: FloatArray, torques: FloatArray, rates: FloatArray) -> FloatArray:
        """Return how what is needed less what drives do changes with each feature (k, g, p).

        R (k, d, g): of the coordinates of the drives; torques (k, d): recorded; rates (k, d).
        """
        def factor(kind: str, u: FloatArray, v: FloatArray) -> FloatArray:
            if kind == GAIN:
                return u
            if kind == OFFSET:
                return np.ones_like(u)
            if kind == GROWTH:
                return u * v ** 2
            size = np.abs(u)
            return size if kind == ASYMMETRY else -size * np.tanh(v / self._loss_velocity)
        by = [R[:, drive] * factor(kind, torques[:, drive], rates[:, drive])[:, np.newaxis]
              for drive, kind in self.columns]
        return -np.stack(by, axis=2) if by else np.zeros((*R[:, 0].shape, 0))
