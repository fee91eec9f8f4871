"""Bounds of sums of squares of normal deviates."""

from typing import Any

from numpy.typing import ArrayLike


def chi_square_interval(freedom: ArrayLike, level: float = 0.95) -> tuple[Any, Any]:
    """Return the central interval of the chi-square distribution; freedom may be an array."""
    from scipy.special import chdtri  # here, as below: it takes a quarter of a second
    tail = 0.5 * (1.0 - level)
    return chdtri(freedom, 1.0 - tail), chdtri(freedom, tail)


def chi_square_bound(freedom: ArrayLike, level: float = 0.95) -> Any:
    """Return the quantile of the chi-square distribution; freedom may be an array."""
    from scipy.special import chdtri
    return chdtri(freedom, 1.0 - level)


def mean_interval(freedom: int, count: int, level: float = 0.95) -> tuple[float, float]:
    """Return the central interval of the mean of independent chi-square variables.

    freedom: of each; count: how many there are.  For the normalized squares of `count` errors of
    `freedom` entries: Bar-Shalom et al. 2001, Sec. 5.4.2.
    """
    low, high = chi_square_interval(freedom * count, level)
    return low / count, high / count
