"""Averages of innovations against the bounds of white noise, from short to long.

An average of b white deviates of variance 1 has the variance 1 / b.  Larger averages come from
errors that last: from a wrong model, or an offset.  Smaller ones come from a gain that is too large
for the noise, and do no harm.  The same comparison as the Allan variance (Allan 1966).
"""

from dataclasses import dataclass

import numpy as np

from mb_estimators.consistency.normalized import chi_square_bound

RELEVANT = 1.1 ** 2     # times as large as claimed: less makes no difference to an interval
_FACTOR = 4             # from one length to the next
_FEWEST = 8             # averages of one length, but for the longest


@dataclass(frozen=True)
class Scale:
    """Averages of `length` readings: their mean square, 1 if white, and its bound.

    freedom: how many independent numbers it is the mean of.
    """

    length: int
    ratio: float
    bound: float
    freedom: int

    @property
    def excess(self):
        """How many times as large as the bound the mean square is."""
        return self.ratio / self.bound


def scales(innovations, level):
    """Return the Scales of whitened innovations (k, channels), k at least 1, the shortest first.

    level: probability with which white noise of variance 1 stays below all bounds together; they
    are at least RELEVANT.
    """
    count, channels = innovations.shape
    lengths = [1]
    while count // (lengths[-1] * _FACTOR) >= _FEWEST:
        lengths.append(lengths[-1] * _FACTOR)
    if count > lengths[-1]:
        lengths.append(count)
    own = 1.0 - (1.0 - level) / len(lengths)
    found = []
    for length in lengths:
        number = count // length
        sums = innovations[:number * length].reshape(number, length, channels).sum(axis=1)
        freedom = number * channels
        bound = max(chi_square_bound(freedom, 1.0 - own) / freedom, RELEVANT)
        found.append(Scale(length, float(np.mean(sums ** 2)) / length, bound, freedom))
    return found
