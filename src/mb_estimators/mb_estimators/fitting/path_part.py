"""What parts of a fit share whose unknowns are numbers of the mechanism file by path."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.file_api import parameter_overrides

_DIGITS = 9
_ABOVE = {'static': 'coulomb'}          # what is never less than what


class PathPart:
    """Unknown numbers by path; of static friction its excess over the Coulomb friction.

    Features are the numbers, which `map` makes of the unknowns.
    """

    is_body = False

    def __init__(self, mechanism: Mechanism, paths: Sequence[str]) -> None:
        """Set up the names and the map."""
        self.paths = self.names = self.feature_paths = tuple(paths)
        self._mechanism, self.map = mechanism, np.eye(len(paths))
        for k, path in enumerate(self.paths):
            below = coulomb_of(path)
            if below in self.paths:
                self.map[k, self.paths.index(below)] = 1.0

    def features(self, x: FloatArray) -> FloatArray:
        """Return the numbers (p) at unknowns x."""
        return self.map @ x

    def slopes(self, x: FloatArray) -> FloatArray:
        """Return the derivatives of the features by the unknowns."""
        return self.map

    def overrides(self, x: FloatArray) -> dict[str, Any]:
        """Return the numbers as overrides of a mechanism file."""
        return parameter_overrides(self._mechanism, {
            path: float(f'{value:.{_DIGITS}g}') for path, value in self.raw_values(x).items()})

    def raw_values(self, x: FloatArray) -> dict[str, float]:
        """Return the numbers, by path."""
        return dict(zip(self.paths, self.features(x).tolist(), strict=True))

    def raw_slopes(self, x: FloatArray) -> FloatArray:
        """Return the derivatives of raw_values by the unknowns."""
        return self.map


def coulomb_of(path: str) -> str:
    """Return the path of the friction that is never more than the one at a path, '' if none."""
    head, _, key = path.rpartition('.')
    for name, other in _ABOVE.items():
        if key == name or key.startswith(f'{name}_'):
            return f'{head}.{other}{key.removeprefix(name)}'
    return ''
