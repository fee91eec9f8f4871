"""What parts of a fit share whose unknowns are numbers of recordings, and of no mechanism file."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray


class RecordedPart:
    """Unknown numbers by path, of which nothing is believed of bodies; features are the numbers."""

    is_body = False

    def __init__(self, paths: Sequence[str], start: FloatArray, lower: FloatArray) -> None:
        """Set up for paths (p), with start values and least values (p)."""
        self.paths = self.names = self.feature_paths = tuple(paths)
        self.start, self.lower = start, lower

    @property
    def believed(self) -> FloatArray:
        """The features that are believed in without recordings (p)."""
        return self.features(self.start)

    def features(self, x: FloatArray) -> FloatArray:
        """Return the features (p), in which forces or readings are linear, at unknowns x."""
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
