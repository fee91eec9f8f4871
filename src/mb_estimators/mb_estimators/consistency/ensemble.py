"""The normalized estimation error squared (NEES) over many runs with known truth."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.consistency.chi_square import mean_interval
from mb_model.arrays import FloatArray


@dataclass(frozen=True)
class EnsembleNees:
    """The mean NEES over runs, at every instant, with the bounds of a consistent filter.

    mean (k); bounds: in which it lies with the probability `level` at any one instant.
    """

    mean: FloatArray
    bounds: tuple[float, float]

    @property
    def average(self) -> float:
        """Mean over runs and time."""
        return float(np.mean(self.mean))

    @property
    def share_inside(self) -> float:
        """Share of the instants at which the mean over runs lies inside the bounds."""
        return float(np.mean((self.mean >= self.bounds[0]) & (self.mean <= self.bounds[1])))

    @property
    def is_consistent(self) -> bool:
        """Whether the mean over runs and time lies inside the bounds of an instant."""
        return self.bounds[0] <= self.average <= self.bounds[1]


def ensemble_nees(nees: ArrayLike, states: int, level: float = 0.95) -> EnsembleNees:
    """Return the EnsembleNees of runs (runs, k) whose errors have `states` entries.

    Source: Bar-Shalom et al. 2001, Sec. 5.4.2.  Errors of successive instants
    resemble each other, so the mean over time is held to the bounds of one instant.
    """
    nees = np.asarray(nees, float)
    low, high = mean_interval(states, len(nees), level)
    return EnsembleNees(nees.mean(axis=0), (float(low), float(high)))
