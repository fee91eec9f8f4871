"""Bounds of sums of squares of normal deviates, and chances of counts."""

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
