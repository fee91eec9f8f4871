"""How good a fit is: by degree of freedom, on recordings that it has or has not seen."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mb_estimators.consistency.normalized import NORMAL_95
from mb_estimators.fitting.scaled_equations import Equations
from mb_model.arrays import FloatArray, IntArray
from mb_sensors import ImuResiduals


@dataclass(frozen=True)
class Quality:
    """Residuals on degrees of freedom, or of channels (g), in the unit of forces or readings.

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


def quality_of_readings(residuals: ImuResiduals) -> Quality:
    """Return the Quality of ImuResiduals, by channels; force: of readings about their means."""
    left, readings = residuals.left, residuals.readings
    flat = np.nan_to_num(left)
    square = np.maximum(np.sum(flat ** 2, axis=0), 1e-300)
    there = np.isfinite(left)
    inside = np.where(there, np.abs(left) <= NORMAL_95 * residuals.deviations, np.nan)
    return Quality(residuals.channels, np.sqrt(np.nanmean(left ** 2, axis=0)),
                   np.nanstd(readings, axis=0),
                   np.sum(flat[1:] * flat[:-1], axis=0) / square, np.nanmean(inside, axis=0),
                   residuals.t, residuals.recording, left, readings)
