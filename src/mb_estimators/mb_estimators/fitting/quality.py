"""How good a fit is: by degree of freedom, on recordings that it has or has not seen."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mb_estimators.consistency.normalized import NORMAL_95
from mb_estimators.fitting.equations import Equations
from mb_model.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Quality:
    """Residuals on degrees of freedom (g), in the unit of their forces.

    names; residual, force (g): root mean squares; correlation (g): of residuals of neighbouring
    windows, 0 of white ones; coverage (g): share within the 95 % interval that the fit expects;
    t, recording (w), left, given (w, g): of the windows, for pictures.
    """

    names: tuple[str, ...]
    residual: FloatArray
    force: FloatArray
    correlation: FloatArray
    coverage: FloatArray
    t: FloatArray
    recording: IntArray
    left: FloatArray
    given: FloatArray

    @property
    def relative(self) -> FloatArray:
        """Residuals as shares of the forces (g)."""
        return self.residual / np.maximum(self.force, 1e-300)


def quality_of(equations: Equations, names: Sequence[str]) -> Quality:
    """Return the Quality by weighed Equations at fitted values; names: of degrees of freedom."""
    left, given = equations.residual, equations.force
    square = np.maximum(np.sum(left ** 2, axis=0), 1e-300)
    inside = np.abs(left) <= NORMAL_95 * equations.deviations
    return Quality(tuple(names), np.sqrt(np.mean(left ** 2, axis=0)),
                   np.sqrt(np.mean(given ** 2, axis=0)),
                   np.sum(left[1:] * left[:-1], axis=0) / square, np.mean(inside, axis=0),
                   equations.t, equations.recording, left, given)
