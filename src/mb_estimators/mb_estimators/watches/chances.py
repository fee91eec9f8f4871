"""Chances of sums of squares and of counts, in closed form.

scipy.special has them for more than whole numbers; to import it takes a quarter of a second of
processor time, in every start of an estimator.
"""

from math import erfc, exp, lgamma, log, log1p, sqrt

import numpy as np

_HALVINGS = 100     # of an interval: down to two neighbouring numbers


def chi_square_tail(freedom, square):
    """Return the chance that `freedom` squared normal deviates (1, 2, ...) sum up to more.

    Abramowitz and Stegun 1964, Eqs. (26.4.4) and (26.4.5).
    """
    half = 0.5 * square
    if half <= 0.0:
        return 1.0
    tail = erfc(sqrt(half)) if freedom % 2 else exp(-half)
    for k in range(2 - freedom % 2, freedom, 2):
        tail += exp(0.5 * k * log(half) - half - lgamma(0.5 * k + 1.0))
    return min(tail, 1.0)


def chi_square_bound(freedom, chance):
    """Return what the sum of so many squared normal deviates exceeds with a chance."""
    low, high = 0.0, 1.0
    while chi_square_tail(freedom, high) > chance:
        low, high = high, 2.0 * high
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if chi_square_tail(freedom, middle) > chance else (low, middle)
    return high


def binomial_tail(most, count, share):
    """Return the chance that more than `most` of `count` events happen, each with a chance `share`.

    For `most` not below the mean count * share.
    """
    if most >= count:
        return 0.0
    first = most + 1
    ways = lgamma(count + 1) - lgamma(first + 1) - lgamma(count - first + 1)
    happened = np.arange(first, count)
    ratios = (count - happened) / (happened + 1) * (share / (1.0 - share))
    return exp(ways + first * log(share) + (count - first) * log1p(-share)) * (
        1.0 + float(np.cumprod(ratios).sum()))


def enough_events(above, share, chance, longest):
    """Return how many events are the last that happen in a larger share than `above` by chance.

    That is with a chance of more than `chance`, where each happens with a chance of `share`; at
    most `longest`.
    """
    # Chernoff's bound: no larger number does.
    apart = above * log(above / share) + (
        (1.0 - above) * log((1.0 - above) / (1.0 - share)) if above < 1.0 else 0.0)
    count = min(int(-log(chance) / apart) + 1, longest)
    while binomial_tail(int(above * count), count, share) <= chance and count > 1:
        count -= 1
    return count
