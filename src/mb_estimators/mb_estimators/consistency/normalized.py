"""Normalized squares of errors, and intervals and means that they have in a consistent filter."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_model.arrays import FloatArray

NORMAL_95 = 1.959964        # deviations to either side that hold 95 % of normal errors


def chi_square_interval(freedom: ArrayLike, level: float = 0.95) -> tuple[Any, Any]:
    """Return the central interval of the chi-square distribution; freedom may be an array."""
    from scipy.special import chdtri  # here, as below: it takes a quarter of a second
    tail = 0.5 * (1.0 - level)
    return chdtri(freedom, 1.0 - tail), chdtri(freedom, tail)


def chi_square_bound(freedom: int, chance: float) -> float:
    """Return what the sum of so many squared normal deviates exceeds with a chance."""
    from scipy.special import chdtri
    return float(chdtri(freedom, chance))


def chi_square_tail(freedom: int, square: float) -> float:
    """Return the chance that so many squared normal deviates sum up to more than a square."""
    from scipy.special import chdtrc
    return float(chdtrc(freedom, square))


def count_tail(least: int, count: int, share: float) -> float:
    """Return the chance that at least `least` of `count` events happen, each with a chance."""
    from scipy.special import bdtrc
    return 1.0 if least < 1 else float(bdtrc(least - 1, count, share))


def mean_interval(freedom: int, count: int, level: float = 0.95) -> tuple[float, float]:
    """Return the central interval of the mean of independent chi-square variables.

    freedom: of each; count: how many there are.  For the normalized squares of `count` errors of
    `freedom` entries: Bar-Shalom et al. 2001, Sec. 5.4.2.
    """
    low, high = chi_square_interval(freedom * count, level)
    return low / count, high / count


def whitened(errors: ArrayLike, covariances: FloatArray) -> FloatArray:
    """Return L^-1 e for errors e (k, n) and covariances L L^T (k, n, n).

    If the covariances are right, its entries are independent, of mean 0 and variance 1.
    """
    factors = np.linalg.cholesky(covariances)
    return np.linalg.solve(factors, np.asarray(errors, float)[..., None])[..., 0]


def normalized_squares(errors: ArrayLike, covariances: FloatArray) -> FloatArray:
    """Return e^T P^-1 e (k) of errors e (k, n) and covariances P (k, n, n).

    NEES for errors of the estimate, NIS for innovations: chi-square variables
    with n degrees of freedom if the covariances are right.
    """
    return np.sum(whitened(errors, covariances) ** 2, axis=-1)


def agreement(squares: ArrayLike, sizes: ArrayLike, level: float = 0.95) -> tuple[float, float]:
    """Return the mean of normalized squares per entry, 1 if consistent, and the share inside.

    squares (k), of errors with sizes (k) entries; inside: the interval of each at the level.
    """
    squares, sizes = np.asarray(squares, float), np.asarray(sizes, float)
    low, high = chi_square_interval(sizes, level)
    return (float(squares.sum() / sizes.sum()),
            float(np.mean((squares >= low) & (squares <= high))))


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
